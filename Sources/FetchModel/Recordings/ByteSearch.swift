/// Looking for bytes in bytes, in one pass without an index.
enum ByteSearch {
  static func replacing(_ wanted: [UInt8], in bytes: [UInt8], _ other: [UInt8]) -> [UInt8] {
    guard let first = wanted.first, wanted.count <= bytes.count else { return bytes }
    var result: [UInt8] = []
    var kept = 0
    var index = 0
    while index <= bytes.count - wanted.count {
      guard bytes[index] == first, bytes[index..<index + wanted.count].elementsEqual(wanted) else {
        index += 1
        continue
      }
      result += bytes[kept..<index]
      result += other
      index += wanted.count
      kept = index
    }
    return kept == 0 ? bytes : result + bytes[kept...]
  }
}
