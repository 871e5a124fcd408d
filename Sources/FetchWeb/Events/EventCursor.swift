/// A place in both logs of the store: the last change of an item and the last ended run.
///
/// The `id` of an event, such as `48213-9120`, is a cursor. A client that resumes at a cursor
/// receives the events after this place. If there are too many of these events, or the store cannot
/// give all of them, the client receives the event `reset` instead.
package struct EventCursor: Hashable, Sendable {
  package var items: Int64
  package var ended: Int64

  package init(items: Int64, ended: Int64) {
    self.items = items
    self.ended = ended
  }

  /// The maximum number of digits of each number. A number of this length always fits into an
  /// `Int64`.
  static let digitsMax = 18

  /// Reads a cursor such as `48213-9120`; returns nil for any other text.
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
