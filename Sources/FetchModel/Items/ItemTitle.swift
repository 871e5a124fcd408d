package import FetchValues

/// The title of an item for people.
package enum ItemTitle {
  /// The prefix of ids of items with neither id nor URL; a hash of the content follows.
  static let contentPrefix = "content:"
  private static let fieldsMax = 3
  private static let valueBytesMax = 60

  /// Returns the title. Without one: the URL or the id. If the id is a hash: the first fields,
  /// `moniker: mainline, version: 6.18`, or the beginning of the first text.
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

  /// Returns a text or number; nil for other values and for a text too long for a title.
  private static func part(_ field: ValueObject.Member) -> String? {
    guard field.key != "summary", field.key != "content",
      !field.value.isNull,
      let text = field.value.displayText, !text.isEmpty, text.utf8.count <= valueBytesMax
    else { return nil }
    return "\(field.key): \(text)"
  }
}
