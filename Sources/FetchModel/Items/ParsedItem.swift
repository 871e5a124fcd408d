package import FetchValues

/// An item from a plugin, checked for shape but not yet identified or compared.
///
/// The named fields are those that every consumer knows; `fields` has all others. Dates are kept as
/// given, and also parsed if they are RFC 3339.
package struct ParsedItem: Equatable, Sendable {
  /// The item's id from the source or plugin, if any.
  package var id: String?
  package var title: String?
  package var url: String?
  package var published: String?
  package var updated: String?
  package var author: String?
  package var summary: String?
  package var content: String?
  package var tags: [String] = []
  /// `enclosures` and every other field that JSON can represent, in the plugin's order.
  package var fields = ValueObject()

  package init() {}
}

extension ParsedItem {
  /// Whether all fields are missing, null or empty.
  package var isEmpty: Bool {
    let texts = [title, url, id, content, summary, published, updated, author]
    return texts.allSatisfy { $0?.isEmpty ?? true } && tags.isEmpty
      && fields.members.allSatisfy(\.value.isNothing)
  }
}

extension ParsedItem {
  /// The fields without a place of their own in an item line, as a compact JSON object: the named
  /// ones that are set, then the others. Invalid UTF-8 is repaired, and numbers that are not finite
  /// become null: a store line is always JSON in UTF-8.
  package var fieldsJSON: [UInt8] {
    // Includes some room for the names and escapes.
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
  /// Encodes one table like a plugin's, without the fields that are not set.
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
