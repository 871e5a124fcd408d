/// The numbers of values up to each of some fixed bounds, with their sum, as monitoring systems
/// read them.
package struct Histogram: Hashable, Sendable {
  /// The upper bounds in growing order, each of which belongs to its bucket.
  package let bounds: [Double]
  /// The numbers of values of each bucket alone; the last is for values above all bounds.
  package private(set) var counts: [Int64]
  package private(set) var sum = 0.0

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// Returns nil unless there is one more count than bounds, and all are as they should be.
  package init?(bounds: [Double], counts: [Int64], sum: Double) {
    guard counts.count == bounds.count + 1, counts.allSatisfy({ (0..<1 << 52).contains($0) }),
      zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }), sum.isFinite
    else { return nil }
    self.bounds = bounds
    self.counts = counts
    self.sum = sum
  }

  /// Counts a value. Ignores one that is not a number or infinite; negative ones count as 0.
  package mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    let value = max(0, value)
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  package mutating func add(_ duration: Duration) { add(duration / .seconds(1)) }

  /// The number of all values.
  package var count: Int64 { counts.reduce(0, &+) }

  /// The numbers of values up to each bound, then of all.
  package var cumulative: [Int64] {
    var total: Int64 = 0
    return counts.map { count in
      total &+= count
      return total
    }
  }
}
