package import FetchValues

/// A plugin's item after the host has checked its shape. It is not yet identified or compared.
///
/// The named fields have a fixed meaning. `fields` has all other fields. The dates are texts that
/// are not parsed here.
package struct ParsedItem: Equatable, Sendable {
  /// The item's id from the source or the plugin; nil if the item has no id.
  package var id: String?
  package var title: String?
  package var url: String?
  package var published: String?
  package var updated: String?
  package var author: String?
  package var summary: String?
  package var content: String?
  package var tags: [String] = []
  /// The fields that have no property of their own, such as `enclosures`.
  package var fields = ValueObject()

  package init() {}
}

extension ParsedItem {
  /// Whether all fields of the item are missing, null or empty.
  package var isEmpty: Bool {
    title.isBlank && url.isBlank && id.isBlank && content.isBlank && summary.isBlank
      && published.isBlank && updated.isBlank && author.isBlank && tags.isEmpty
      && fields.members.allSatisfy(\.value.isNothing)
  }
}

extension ParsedItem {
  /// The object `fields` of the item's output line, as compact JSON. The object begins with those
  /// of `updated`, `author`, `summary`, `content` and `tags` that the item has. The other fields
  /// follow. Invalid UTF-8 is repaired and numbers that are not finite become null, so that the
  /// line is always valid JSON in UTF-8.
  package var fieldsJSON: [UInt8] {
    let length = (content?.utf8.count ?? 0) + (summary?.utf8.count ?? 0)
    var line = JSONLine(reserving: length + length / 16 + 256)
    if let updated { line.member("updated", updated) }
    if let author { line.member("author", author) }
    if let summary { line.member("summary", summary) }
    if let content { line.member("content", content) }
    if !tags.isEmpty { line.member("tags", .array(tags.map(Value.string))) }
    for field in fields.members { line.member(field.key, field.value) }
    return line.closedBytes()
  }
}

extension ParsedItem {
  /// Encodes the item like a table from a plugin. Properties that are nil, and an empty list of
  /// tags, are omitted.
  package func encode(_ writer: inout ValueWriter) {
    let start = writer.beginObject()
    var count = fields.count
    for (key, text) in [
      ("id" as StaticString, id), ("title", title), ("url", url), ("published", published),
      ("updated", updated), ("author", author), ("summary", summary), ("content", content),
    ] {
      guard let text else { continue }
      writer.write(key)
      writer.write(text)
      count += 1
    }
    if !tags.isEmpty {
      writer.write("tags" as StaticString)
      writer.beginArray(count: tags.count)
      for tag in tags { writer.write(tag) }
      count += 1
    }
    for field in fields.members {
      writer.write(field.key)
      writer.write(field.value)
    }
    writer.endObject(start, count: count)
  }
}

extension String? {
  fileprivate var isBlank: Bool { self?.isEmpty ?? true }
}
