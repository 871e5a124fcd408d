package import FetchValues

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
