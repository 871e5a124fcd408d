/// A place in both logs of the store: the last change of an item and the last ended run.
///
/// It is the `id` of an event, such as `48213-9120`. A client that resumes there receives every
/// later event exactly once; nothing about the client is kept in memory.
package struct EventCursor: Hashable, Sendable {
  package var items: Int64
  package var ended: Int64

  package init(items: Int64, ended: Int64) {
    self.items = items
    self.ended = ended
  }

  /// The most digits of each number, which keep it within an integer.
  static let digitsMax = 18

  /// Reads `48213-9120`; returns nil for anything else.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, let items = Self.number(parts[0]), let ended = Self.number(parts[1])
    else { return nil }
    self.init(items: items, ended: ended)
  }

  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard (1...digitsMax).contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}

extension EventCursor: CustomStringConvertible {
  package var description: String { "\(items)-\(ended)" }
}
