import FetchValues

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
