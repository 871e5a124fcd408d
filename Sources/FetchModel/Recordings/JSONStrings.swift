import FetchValues

/// The ranges of the strings in a JSON text, both names and values, in order and without quotes. A
/// string without a closing quote ends where the text ends.
struct JSONStrings: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Range<Int>? {
    guard let quote = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let start = quote + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    end = Swift.min(end, bytes.count)
    place = Swift.min(end + 1, bytes.count)
    return start..<end
  }

  /// Returns the decoded string in the given range; nil if it is invalid.
  static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
    let content = bytes[range]
    guard content.contains(UInt8(ascii: "\\")) else {
      return String(validating: content, as: UTF8.self)
    }
    let quote = [UInt8(ascii: "\"")]
    return (try? JSONReader.decode(quote + content + quote))?.stringValue
  }
}
