/// Who waits for a turn, first come first served. Who has had it is let go of at once, however many
/// still wait.
struct WaitingLine<Element> {
  /// Those before `head` have had their turn and are nil, all others wait.
  private var places: [Element?] = []
  private var head = 0

  var first: Element? { head < places.count ? places[head] : nil }
  var isEmpty: Bool { head == places.count }

  /// The one who has that many before it; nil where so many do not wait.
  subscript(offset: Int) -> Element? {
    let index = head + offset
    return index < places.count ? places[index] : nil
  }

  mutating func append(_ element: Element) { places.append(element) }

  /// For those who had their turn and lost it by no fault of their own.
  mutating func prepend(_ elements: [Element]) {
    places.replaceSubrange(..<head, with: elements.map(Optional.some))
    head = 0
  }

  @discardableResult
  mutating func popFirst() -> Element? {
    guard let first else { return nil }
    places[head] = nil
    head += 1
    if isEmpty {
      places.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1024, head * 2 > places.count {
      places.removeSubrange(..<head)
      head = 0
    }
    return first
  }

  /// Takes out one who waits, and has that many before it.
  mutating func remove(at offset: Int) {
    if offset == 0 {
      popFirst()
    } else if head + offset < places.count {
      places.remove(at: head + offset)
    }
  }

  @discardableResult
  mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
    guard let index = places[head...].firstIndex(where: { $0.map(isMeant) ?? false }) else {
      return nil
    }
    return places.remove(at: index)
  }

  mutating func removeAll() -> [Element] {
    defer {
      places = []
      head = 0
    }
    return places[head...].compactMap(\.self)
  }
}
