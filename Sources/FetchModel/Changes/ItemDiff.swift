import FetchValues

/// The unified diff of two versions of an item. A field with one line of text is one line of the
/// compared texts. A field with several lines of text is compared line by line.
package enum ItemDiff {
  /// Returns the diff after a header of two lines. Each header line has the item's id and the time
  /// of one version.
  package static func text(from old: StoredItem, to new: StoredItem) -> String {
    "--- \(PlainText.line(old.key.text))\t\(old.seenAt)\n"
      + "+++ \(PlainText.line(new.key.text))\t\(new.seenAt)\n"
      + hunks(from: old, to: new)
  }

  /// Returns the diff without the header; empty if the versions are equal.
  package static func hunks(from old: StoredItem, to new: StoredItem) -> String {
    UnifiedDiff.text(from: text(of: old), to: text(of: new))
  }

  private static func text(of item: StoredItem) -> String {
    lines(of: item).joined(separator: "\n") + "\n"
  }

  private static func lines(of item: StoredItem) -> [String] {
    var lines: [String] = []
    for (name, text) in [("title", item.title), ("url", item.url), ("published", item.published)] {
      if let text { lines += named(name, text) }
    }
    for member in item.fields.sortedByKey.members {
      lines += named(member.key, member.value.displayText ?? json(member.value))
    }
    return lines
  }

  private static func named(_ name: String, _ text: String) -> [String] {
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    let name = PlainText.line(name)
    if parts.count == 1 { return ["\(name): \(PlainText.line(text))"] }
    return ["\(name):"] + parts.map { "  " + PlainText.line(String($0)) }
  }

  private static func json(_ value: Value) -> String { (try? JSONWriter.text(value)) ?? "" }
}
