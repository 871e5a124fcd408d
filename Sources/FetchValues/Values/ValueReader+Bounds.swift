/// The readers for numbers within bounds, lists of a known length, and versioned lists of fields.
/// Values outside the bounds are errors, because this program has not written them.
extension ValueReader {
  /// Reads a number in a range.
  package mutating func readNumber(in range: ClosedRange<Double>) throws(ValueError) -> Double {
    let number = try readNumber()
    guard range.contains(number) else {
      throw .unexpected("a number that is out of range", wanted: "number")
    }
    return number
  }

  /// Reads a list of exactly `count` numbers in a range.
  package mutating func readNumbers(
    count: Int, in range: ClosedRange<Double>
  ) throws(ValueError) -> [Double] {
    guard try readArrayHead() == count else {
      throw .unexpected("another count", wanted: "list of \(count)")
    }
    var numbers: [Double] = []
    for _ in 0..<count { numbers.append(try readNumber(in: range)) }
    return numbers
  }

  /// Reads an integer in a range.
  package mutating func readInteger(in range: ClosedRange<Int64>) throws(ValueError) -> Int {
    let number = try readInteger()
    guard range.contains(number) else {
      throw .unexpected("a number that is out of range", wanted: "integer")
    }
    return Int(number)
  }

  /// Reads the head of a list of fields. The first field is the version of the encoding.
  package mutating func readFields(count: Int, version: Int64) throws(ValueError) {
    guard try readArrayHead() == count, try readInteger() == version else {
      throw .unexpected("another form", wanted: "version \(version)")
    }
  }
}

extension ValueWriter {
  /// Writes a list of numbers.
  package mutating func write(numbers: [Double]) {
    beginArray(count: numbers.count)
    for number in numbers { write(number) }
  }
}
