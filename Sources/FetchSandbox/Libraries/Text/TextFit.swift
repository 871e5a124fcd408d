/// The shortening of a list of lines to the maximum length of a message. If there is room, a note
/// gives the number of omitted lines.
enum TextFit {
  /// The units in which services count the length of a message.
  enum Unit: String, CaseIterable {
    /// Unicode scalars, as counted by Lua's `utf8.len`.
    case characters
    case bytes
    case utf16

    func length(_ text: some StringProtocol) -> Int {
      switch self {
      case .characters: text.unicodeScalars.count
      case .bytes: text.utf8.count
      case .utf16: text.utf16.count
      }
    }
  }

  /// Returns all lines if they fit, otherwise as many whole lines as fit with a note. If not even
  /// the first line fits with the note, cuts this line. Leaves out the note if there is no room for
  /// it, or if there is only one line.
  static func text(
    _ lines: [String], count: Int, unit: Unit, separator: String
  ) -> String {
    let gap = unit.length(separator)
    var ends: [Int] = []
    for line in lines { ends.append((ends.last.map { $0 + gap } ?? 0) + unit.length(line)) }
    guard let length = ends.last, length > count else { return lines.joined(separator: separator) }
    for kept in stride(from: lines.count - 1, through: 1, by: -1) {
      let note = note(lines.count - kept)
      if ends[kept - 1] + gap + unit.length(note) <= count {
        return (lines.prefix(kept) + [note]).joined(separator: separator)
      }
    }
    let first = lines.first ?? ""
    if lines.count == 1 { return cut(first, to: count, unit) }
    let note = note(lines.count - 1)
    let room = count - gap - unit.length(note)
    return room > 0 ? cut(first, to: room, unit) + separator + note : cut(first, to: count, unit)
  }

  private static func note(_ count: Int) -> String { "… \(count) more" }

  /// Cuts a text that is too long between two Unicode scalars. Adds an ellipsis if there is room
  /// for one.
  private static func cut(_ text: String, to count: Int, _ unit: Unit) -> String {
    if unit.length(text) <= count { return text }
    let ending = unit.length("…") <= count ? "…" : ""
    var left = count - unit.length(ending)
    var end = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices {
      left -= unit.length(String(text.unicodeScalars[index]))
      if left < 0 { break }
      end = text.unicodeScalars.index(after: index)
    }
    return String(text[..<end]) + ending
  }
}
