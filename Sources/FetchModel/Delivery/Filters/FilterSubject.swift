import FetchValues

/// The item to which a filter is applied.
struct FilterSubject {
  let change: ItemChange
  let job: JobName

  /// The names of the standard item fields.
  static let fields: Set<String> = [
    "id", "change", "job", "title", "url", "published", "publishedAt", "updated", "author",
    "summary", "content", "tags", "fields",
  ]

  /// Returns the value at a path; null if the item has no such value. A removed item has its `id`,
  /// and the title and URL of its last version.
  func value(at path: [String]) -> Value {
    guard let first = path.first else { return .null }
    var value = field(first)
    for name in path.dropFirst() { value = value[name] ?? .null }
    return value
  }

  private func field(_ name: String) -> Value {
    switch name {
    case "id": return .string(change.key.text)
    case "change": return .string(change.kind.word)
    case "job": return .string(job.text)
    case "title": return text(change.item?.title ?? change.last?.title)
    case "url": return text(change.item?.url ?? change.last?.url)
    default: break
    }
    guard let item = change.item else { return .null }
    switch name {
    case "published", "publishedAt": return text(item.published)
    case "updated": return text(item.updated)
    case "author": return text(item.author)
    case "summary": return text(item.summary)
    case "content": return text(item.content)
    case "tags": return .array(item.tags.map(Value.string))
    case "fields": return .object(item.fields)
    default: return item.fields[name] ?? .null
    }
  }

  private func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }
}
