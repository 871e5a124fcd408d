package import FetchValues

/// The rule for the title that people see for an item.
package enum ItemTitle {
  /// The prefix of the key of an item whose identity is its content. The prefix is followed by a
  /// hash of the content.
  static let contentPrefix = "content:"
  private static let fieldsMax = 3
  private static let valueBytesMax = 60

  /// Returns the item's title. For an item without a title, returns the URL, otherwise the id. The
  /// first three short fields replace an id that begins with `contentPrefix`, as in `moniker:
  /// mainline, version: 6.18`. Without a short field, the beginning of the first text replaces this
  /// id. If nothing is left, the result is `an item`.
  package static func shown(
    title: String?, url: String?, id: String?, fields: @autoclosure () -> ValueObject
  ) -> String {
    for text in [title, url] { if let text, !text.isEmpty { return text } }
    guard let id, id.utf8.starts(with: contentPrefix.utf8) else { return id ?? "an item" }
    let fields = fields()
    let parts = fields.members.lazy.compactMap(part).prefix(fieldsMax)
    if !parts.isEmpty { return parts.joined(separator: ", ") }
    let texts = fields.members.lazy.compactMap(\.value.stringValue).filter { !$0.isEmpty }
    return texts.first.map(beginning) ?? "an item"
  }

  private static func beginning(_ text: String) -> String {
    text.count <= valueBytesMax ? text : text.prefix(valueBytesMax - 1) + "…"
  }

  /// Returns a field's name and value for a title, as in `version: 6.18`. The result is nil for
  /// `summary` and `content`. It is also nil for lists, tables, bytes, null, and empty or long
  /// texts.
  private static func part(_ field: ValueObject.Member) -> String? {
    guard field.key != "summary", field.key != "content",
      !field.value.isNull,
      let text = field.value.displayText, !text.isEmpty, text.utf8.count <= valueBytesMax
    else { return nil }
    return "\(field.key): \(text)"
  }
}
