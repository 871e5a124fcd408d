/// The replacement of a sequence of bytes in a longer text, in one pass without going back (Knuth,
/// Morris and Pratt). Its time is linear even if a server chose the sequence and the text.
package enum ByteSearch {
  package static func replacing(_ wanted: [UInt8], in bytes: [UInt8], _ other: [UInt8]) -> [UInt8] {
    guard !wanted.isEmpty, wanted.count <= bytes.count else { return bytes }
    let borders = borders(of: wanted)
    var result: [UInt8] = []
    var kept = 0
    var matched = 0
    for (place, byte) in bytes.enumerated() {
      while matched > 0, wanted[matched] != byte { matched = borders[matched - 1] }
      if wanted[matched] == byte { matched += 1 }
      guard matched == wanted.count else { continue }
      result += bytes[kept..<place + 1 - matched]
      result += other
      kept = place + 1
      matched = 0
    }
    return kept == 0 ? bytes : result + bytes[kept...]
  }

  /// Returns, for each prefix of the wanted bytes, the length of its longest proper prefix that is
  /// also its suffix.
  private static func borders(of wanted: [UInt8]) -> [Int] {
    var borders = [0]
    var length = 0
    for byte in wanted.dropFirst() {
      while length > 0, wanted[length] != byte { length = borders[length - 1] }
      if wanted[length] == byte { length += 1 }
      borders.append(length)
    }
    return borders
  }
}
