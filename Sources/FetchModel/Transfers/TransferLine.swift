/// Places in their order: taken from the front, put in anywhere, mostly at the end.
struct TransferLine: Sendable {
  private var places: [TransferOrder.Place] = []
  /// Those before it were taken.
  private var start = 0

  private static let gapMax = 256

  var first: TransferOrder.Place? { start < places.count ? places[start] : nil }

  func first(where isWanted: (TransferOrder.Place) -> Bool) -> TransferOrder.Place? {
    places[start...].first(where: isWanted)
  }

  mutating func insert(_ place: TransferOrder.Place) { places.insert(place, at: index(of: place)) }

  mutating func remove(_ place: TransferOrder.Place) {
    let index = index(of: place)
    if index < places.count, places[index] == place { places.remove(at: index) }
  }

  mutating func popFirst() -> TransferOrder.Place? {
    guard let first else { return nil }
    start += 1
    // Seldom enough that each place is moved about once.
    if start > Self.gapMax, start > places.count / 2 {
      places.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Where a place is, or would be.
  private func index(of place: TransferOrder.Place) -> Int {
    if let last = places.last, last < place { return places.count }
    var (low, high) = (start, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
