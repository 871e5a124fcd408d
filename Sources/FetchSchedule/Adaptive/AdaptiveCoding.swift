import FetchValues

/// What the encodings of the learned schedule share. Bytes that were never written by it give an
/// error; numbers that it could not have written do, too.
extension ValueReader {
  /// An instant in seconds, or nil where null stands.
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
