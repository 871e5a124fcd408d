/// The search of Knuth, Morris and Pratt. Its time is linear in the needle and the text for any
/// input.
struct KMPSearch {
  private let needle: UnsafeRawBufferPointer
  /// The length of the longest border for each prefix of the needle. A border is a shorter text
  /// with which the prefix both begins and ends.
  private let borders: [Int]

  init(_ needle: UnsafeRawBufferPointer) {
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

  func firstIndex(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var matched = 0
    for index in text[start...].indices {
      while matched > 0, text[index] != needle[matched] { matched = borders[matched - 1] }
      if text[index] == needle[matched] { matched += 1 }
      if matched == needle.count { return index + 1 - matched }
    }
    return nil
  }
}
