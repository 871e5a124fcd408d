extension JSONWriter {
  mutating func write(integer: Int64) { append(integer.description) }

  mutating func write(number: Double) throws(JSONError) {
    guard number.isFinite else {
      throw JSONError(
        problem: number.isNaN ? "a number is NaN" : "a number is infinite", place: nil)
    }
    // The description is the shortest that reads back, and always has a fraction or an exponent.
    append(number.description)
  }

  package mutating func write(string: String) {
    var string = string
    string.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
  }

  package mutating func write(string: UnsafeRawBufferPointer) throws(JSONError) {
    guard UTF8Check.firstInvalid(in: string) == nil else {
      throw JSONError(problem: "a string is not valid UTF-8", place: nil)
    }
    appendQuoted(string)
  }

  private mutating func appendQuoted(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var plainStart = 0
    var index = 0
    while index < content.count {
      if index &+ 8 <= content.count,
        Self.isPlain(content.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      {
        index &+= 8
        continue
      }
      let byte = content[index]
      index &+= 1
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
      append(content[plainStart..<index &- 1])
      plainStart = index
      appendEscape(byte)
    }
    append(content[plainStart...])
    append(UInt8(ascii: "\""))
  }

  /// Whether none of eight bytes needs an escape; false also for some that do not.
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let controls = (word &- ones &* 0x20) & ~word
    let found = controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
    return found & (ones &* 0x80) == 0
  }

  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    default:
      append("u00")
      append(Self.hexDigits[Int(byte >> 4)])
      append(Self.hexDigits[Int(byte & 15)])
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
