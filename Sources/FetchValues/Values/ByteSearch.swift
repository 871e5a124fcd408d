/// The search for a sequence of bytes in a text, in one pass without going back (Knuth, Morris and
/// Pratt). Its time is linear even if a server chose the sequence and the text.
package struct ByteSearch {
  private let needle: UnsafeRawBufferPointer
  /// The length of the longest border for each prefix of the needle. A border is a shorter text
  /// with which the prefix both begins and ends.
  private let borders: [Int]

  /// Prepares the search. The needle must not be empty.
  package init(_ needle: UnsafeRawBufferPointer) {
    self.needle = needle
    var borders = [Int](repeating: 0, count: needle.count)
    var length = 0
    for index in needle.indices.dropFirst() {
      while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
      if needle[index] == needle[length] { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  /// Returns the first place of the needle at or after `start`; nil if it does not occur there.
  package func firstIndex(in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    var matched = 0
    for index in text[start...].indices {
      while matched > 0, text[index] != needle[matched] { matched = borders[matched - 1] }
      if text[index] == needle[matched] { matched += 1 }
      if matched == needle.count { return index + 1 - matched }
    }
    return nil
  }

  /// Returns the bytes with every occurrence of `wanted` replaced by `other`, from left to right.
  package static func replacing(_ wanted: [UInt8], in bytes: [UInt8], _ other: [UInt8]) -> [UInt8] {
    guard !wanted.isEmpty, wanted.count <= bytes.count else { return bytes }
    return wanted.withUnsafeBytes { needle in
      bytes.withUnsafeBytes { text in
        let search = ByteSearch(needle)
        var result: [UInt8] = []
        var kept = 0
        while let place = search.firstIndex(in: text, from: kept) {
          result += text[kept..<place]
          result += other
          kept = place + needle.count
        }
        return kept == 0 ? bytes : result + text[kept...]
      }
    }
  }
}
