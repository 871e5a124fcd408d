package import FetchValues

/// An item as a plugin gave it, checked for shape but not yet identified or compared.
///
/// The named fields are those every consumer knows; `fields` has all further ones. Dates are kept
/// as the plugin gave them and also read as instants where they are RFC 3339.
package struct ParsedItem: Equatable, Sendable {
  /// The item's id as the source or plugin gave it, if any.
  package var id: String?
  package var title: String?
  package var url: String?
  package var published: String?
  package var updated: String?
  package var author: String?
  package var summary: String?
  package var content: String?
  package var tags: [String] = []
  /// `enclosures` and every further JSON-able field, in the plugin's order.
  package var fields = ValueObject()

  package init() {}
}

extension ParsedItem {
  /// Nothing is said by any field: all are missing, null or empty.
  package var isEmpty: Bool {
    let texts = [title, url, id, content, summary, published, updated, author]
    return texts.allSatisfy { $0?.isEmpty ?? true } && tags.isEmpty
      && fields.members.allSatisfy(\.value.isNothing)
  }
}

extension ParsedItem {
  /// All that has no place of its own in an item line, as a compact JSON object: the named fields
  /// that are set, then the further ones. Bytes that are not UTF-8 are repaired, and numbers that
  /// are not finite are null: a store line is always JSON, in UTF-8.
  package var fieldsJSON: [UInt8] {
    // With a little for the names and escapes.
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
  /// One encoded table, as a plugin would have given it: without the fields that are not set.
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
