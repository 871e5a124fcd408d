/// A duplicate key in a block mapping. A text with a duplicate key is refused, but the other
/// mistakes in the text are reported as well.
struct DuplicateKey {
  /// The line of the second key, counted from 1.
  let line: Int
  /// The column of the second key, counted from 1.
  let column: Int
  let name: String
  let firstLine: Int
  /// The text without the second key and its value. Empty lines replace the removed lines, so that
  /// the line numbers do not change. If `beginsEntry` is true, the second key stays and begins a
  /// new entry of the list.
  let rest: String

  /// Finds the second key `name` in a mapping of a text. `line` and `column` are the place of the
  /// first key `name`, counted from 1. The result is nil if no second key is found, as in a mapping
  /// in braces.
  init?(_ name: String, line: Int, column: Int, in text: String) {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { [UInt8]($0) }
    let margin = column - 1
    guard lines.indices.contains(line - 1), margin >= 0,
      lines[line - 1].prefix(margin).allSatisfy({ Self.openers.contains($0) }),
      let second = lines.indices.dropFirst(line).prefix(while: { index in
        Self.isWithin(lines[index], margin)
      }).first(where: { Self.isKey(name, lines[$0], margin) })
    else { return nil }
    (self.line, self.column, self.name) = (second + 1, column, name)
    firstLine = line
    if name == "name", margin >= 2, Self.isEntry(lines, line - 1, margin) {
      beginsEntry = true
      lines[second][margin - 2] = UInt8(ascii: "-")
      rest = Self.text(lines)
      return
    }
    let end = lines.indices.dropFirst(second + 1).first { index in
      !Self.isBelow(lines[index], margin)
    }
    for index in second..<(end ?? lines.count) { lines[index] = [] }
    rest = Self.text(lines)
  }

  private static func text(_ lines: [[UInt8]]) -> String {
    String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  /// Whether the mapping that contains a key is an entry of a list, as in `- name:`.
  private static func isEntry(_ lines: [[UInt8]], _ key: Int, _ margin: Int) -> Bool {
    for line in lines[...key].reversed() where !isBlank(line) {
      if line.dropFirst(margin - 2).first == UInt8(ascii: "-") { return true }
      if indent(line) < margin { return false }
    }
    return false
  }

  /// Whether the duplicate is a second `name` in one entry of a list, probably because a dash was
  /// forgotten.
  private var beginsEntry = false

  var message: String {
    beginsEntry
      ? "duplicate key '\(name)' in one entry of the list (first on line \(firstLine)): begin the"
        + " next entry with '- \(name):', or remove one of the two keys"
      : "duplicate key '\(name)' (first on line \(firstLine)): remove one"
  }

  /// The characters before the first key of a mapping: spaces and the dashes of lists.
  private static let openers = Set(" -".utf8)

  private static func indent(_ line: [UInt8]) -> Int {
    line.prefix { $0 == UInt8(ascii: " ") }.count
  }

  /// Whether the line is blank or a comment. Such a line may be part of any value.
  private static func isBlank(_ line: [UInt8]) -> Bool {
    let first = line.first { $0 > UInt8(ascii: " ") }
    return first == nil || first == UInt8(ascii: "#")
  }

  private static func isWithin(_ line: [UInt8], _ margin: Int) -> Bool {
    isBlank(line) || indent(line) >= margin
  }

  /// Whether a line is part of the value of a key with `margin` characters before it. A list may
  /// begin at the column of its key.
  private static func isBelow(_ line: [UInt8], _ margin: Int) -> Bool {
    if isBlank(line) || indent(line) > margin { return true }
    return indent(line) == margin && line.dropFirst(margin).first == UInt8(ascii: "-")
  }

  private static func isKey(_ name: String, _ line: [UInt8], _ margin: Int) -> Bool {
    guard indent(line) == margin else { return false }
    return ["", "\"", "'"].contains { quote in
      let written = Array((quote + name + quote).utf8)
      let rest = line.dropFirst(margin)
      guard rest.starts(with: written) else { return false }
      let after = rest.dropFirst(written.count).drop { $0 == UInt8(ascii: " ") }
      return after.first == UInt8(ascii: ":")
    }
  }
}
