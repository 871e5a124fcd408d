/// Finds elements with more attributes than `XMLLimits.attributeCountMax` before libxml2 does, whose
/// time grows with their square.
enum WideTags {
  /// Fewer bytes cannot hold that many attributes (` a="`).
  private static let suspiciousBytesMin = XMLLimits.attributeCountMax * 4

  /// Looks at the distances between `<`: an attribute's value cannot hold one.
  static func found(in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var last = -1
    var index = 0
    while index < bytes.count {
      var next = index
      while next < bytes.count, base.load(fromByteOffset: next, as: UInt8.self) != 0x3C {
        next += 1
      }
      if last >= 0, next - last > suspiciousBytesMin, isWide(bytes, from: last, to: next) {
        return true
      }
      last = next
      index = next + 1
    }
    return false
  }

  private static func isWide(_ bytes: UnsafeRawBufferPointer, from: Int, to: Int) -> Bool {
    guard from + 1 < to, ASCII.isLetter(bytes[from + 1]) || bytes[from + 1] == 0x5F else {
      return false
    }
    var count = 0
    var quote: UInt8 = 0
    for index in from + 1..<to {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x3E {
        return false
      } else if byte == 0x3D {
        count += 1
        if count > XMLLimits.attributeCountMax { return true }
      }
    }
    return false
  }
}
