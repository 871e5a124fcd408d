/// What the encodings of the learned schedule share. Bytes that were never written by it give an
/// error; numbers that it could not have written do, too.
extension ValueReader {
  mutating func readNumber(in range: ClosedRange<Double>) throws(ValueError) -> Double {
    let number = try readNumber()
    guard range.contains(number) else {
      throw .unexpected("a number out of range", wanted: "number")
    }
    return number
  }

  mutating func readNumbers(
    count: Int, in range: ClosedRange<Double>
  ) throws(ValueError) -> [Double] {
    guard try readArrayHead() == count else {
      throw .unexpected("another count", wanted: "list of \(count)")
    }
    var numbers: [Double] = []
    for _ in 0..<count { numbers.append(try readNumber(in: range)) }
    return numbers
  }

  mutating func readInteger(in range: ClosedRange<Int64>) throws(ValueError) -> Int {
    let number = try readInteger()
    guard range.contains(number) else {
      throw .unexpected("a number out of range", wanted: "integer")
    }
    return Int(number)
  }

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

  /// The head of a list of fields, the first of which is the version of its form.
  mutating func readFields(count: Int, version: Int64) throws(ValueError) {
    guard try readArrayHead() == count, try readInteger() == version else {
      throw .unexpected("another form", wanted: "version \(version)")
    }
  }
}

extension ValueWriter {
  mutating func write(instant: Double?) {
    if let instant { write(instant) } else { writeNull() }
  }

  mutating func write(numbers: [Double]) {
    beginArray(count: numbers.count)
    for number in numbers { write(number) }
  }
}
