/// The fields of an item that have a fixed meaning. All other fields belong to the plugin.
package enum StandardField: Sendable {
  case id, title, url, published, updated, author, summary, content, tags

  /// Finds the field with the given name in UTF-8; nil if it is not a standard field.
  package init?(_ name: UnsafeRawBufferPointer) {
    switch name.count {
    case 2 where Self.equals(name, "id"): self = .id
    case 3 where Self.equals(name, "url"): self = .url
    case 4 where Self.equals(name, "tags"): self = .tags
    case 5 where Self.equals(name, "title"): self = .title
    case 6 where Self.equals(name, "author"): self = .author
    case 7 where Self.equals(name, "summary"): self = .summary
    case 7 where Self.equals(name, "content"): self = .content
    case 7 where Self.equals(name, "updated"): self = .updated
    case 9 where Self.equals(name, "published"): self = .published
    default: return nil
    }
  }

  /// Whether the name has the bytes of the word, which has the same length.
  private static func equals(_ name: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    for index in name.indices where name[index] != word.utf8Start[index] { return false }
    return true
  }
}
