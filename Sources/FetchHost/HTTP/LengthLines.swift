/// The header lines that say where a body ends, looked at as they come: nearly all answers have one
/// plain length or chunks, and need not be parsed on the engine's thread.
struct LengthLines {
  private var lengthCount = 0
  private var codingCount = 0
  private var hasOddity = false

  /// Whether at most one of both is named, and the length as plain digits.
  var isPlain: Bool { !hasOddity && lengthCount + codingCount <= 1 }

  mutating func take(_ line: UnsafeRawBufferPointer) {
    guard let first = line.first else { return }
    switch first {
    // A line that goes on with the one before (RFC 9112 section 5.2), maybe with a length.
    case UInt8(ascii: " "), UInt8(ascii: "\t"): hasOddity = true
    case UInt8(ascii: "C"), UInt8(ascii: "c"):
      guard let value = Self.value(of: "content-length", line) else { return }
      lengthCount += 1
      hasOddity = hasOddity || !Self.isNumber(value)
    case UInt8(ascii: "T"), UInt8(ascii: "t"):
      if Self.value(of: "transfer-encoding", line) != nil { codingCount += 1 }
    default: break
    }
  }

  private typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// What follows the colon, where the line has that name, which is in lower case.
  private static func value(of name: StaticString, _ line: UnsafeRawBufferPointer) -> Bytes? {
    let count = name.utf8CodeUnitCount
    guard line.count > count else { return nil }
    for index in 0..<count where line[index] | 0x20 != name.utf8Start[index] { return nil }
    let rest = line[count...].drop { $0 == 0x20 || $0 == 0x09 }
    return rest.first == UInt8(ascii: ":") ? rest.dropFirst() : nil
  }

  private static func isNumber(_ value: Bytes) -> Bool {
    let digits = value.drop { $0 == 0x20 || $0 == 0x09 }.prefix { (0x30...0x39).contains($0) }
    let isOver = value[digits.endIndex...].allSatisfy { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
    return !digits.isEmpty && digits.count <= 18 && isOver
  }
}
