/// The number of values in each of several buckets with fixed bounds, and the sum of all values.
/// Monitoring systems read the numbers in cumulative form: see `cumulative`.
package struct Histogram: Hashable, Sendable {
  /// The upper bounds of the buckets, in ascending order. A value that equals a bound belongs to
  /// the bucket of that bound.
  package let bounds: [Double]
  /// The number of values in each bucket. The last number counts the values above all bounds.
  package private(set) var counts: [Int64]
  package private(set) var sum = 0.0

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// Creates a histogram from its numbers; nil if the numbers are invalid. There must be one more
  /// count than bounds, and each count must be from 0 to 2^52 - 1. The bounds must ascend, and the
  /// sum must be finite.
  package init?(bounds: [Double], counts: [Int64], sum: Double) {
    guard counts.count == bounds.count + 1, counts.allSatisfy({ (0..<1 << 52).contains($0) }),
      zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }), sum.isFinite
    else { return nil }
    self.bounds = bounds
    self.counts = counts
    self.sum = sum
  }

  /// Counts a value. Ignores infinity and NaN. A negative value counts as 0.
  package mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    let value = max(0, value)
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  package mutating func add(_ duration: Duration) { add(duration / .seconds(1)) }

  /// The number of all values.
  package var count: Int64 { counts.reduce(0, &+) }

  /// The number of values up to each bound. The last number counts all values.
  package var cumulative: [Int64] {
    var total: Int64 = 0
    return counts.map { count in
      total &+= count
      return total
    }
  }
}
