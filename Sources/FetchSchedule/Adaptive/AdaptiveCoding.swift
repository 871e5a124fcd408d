import FetchValues

/// The readers that the learned schedule's encodings share. They reject other bytes and numbers
/// that the encodings never contain.
extension ValueReader {
  /// Reads an instant in seconds; nil for null.
  mutating func readInstant() throws(ValueError) -> Double? {
    guard try peekTag() != ValueTag.null else {
      try skipValue()
      return nil
    }
    return try readNumber(in: AdaptiveState.instants)
  }

  mutating func readCounts(_ count: Int) throws(ValueError) -> [Float] {
    guard let counts = SparseCounts.decode(try readStringBytes(), count: count) else {
      throw .unexpected("other bytes", wanted: "\(count) counts")
    }
    return counts
  }
}

extension ValueWriter {
  mutating func write(instant: Double?) {
    if let instant { write(instant) } else { writeNull() }
  }
}
