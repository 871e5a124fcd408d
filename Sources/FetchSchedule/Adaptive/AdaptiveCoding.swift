import FetchValues

/// The readers that the learned schedule's encodings share. They reject bytes and numbers that
/// these encodings never contain.
extension ValueReader {
  /// Reads a time in seconds; nil for an encoded null.
  mutating func readInstant() throws(ValueError) -> Double? {
    try readNull() ? nil : try readNumber(in: AdaptiveState.instants)
  }

  mutating func readCounts(_ count: Int) throws(ValueError) -> [Float] {
    guard let counts = SparseCounts.decode(try readStringBytes(), count: count) else {
      throw .unexpected("other bytes", wanted: "\(count) counts")
    }
    return counts
  }
}
