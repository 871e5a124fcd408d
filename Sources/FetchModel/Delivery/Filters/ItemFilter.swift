package import FetchValues

/// A condition on an item, as in a hook's `when`: `title contains "Swift" and price < 10`.
///
/// Comparisons are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `starts`, `ends` and `in`, joined
/// by `and`, `or`, `not` and parentheses. A name is a field of the item, with dots for nested
/// values; a missing field is `null`. A number and a text that contains a number are compared as
/// numbers. Two texts are compared by their bytes. In a text, `contains`, `in`, `starts` and `ends`
/// ignore case. In a list, `contains` and `in` look for an equal element. There are no regular
/// expressions, because a badly written expression could block the host.
package struct ItemFilter: Equatable, Sendable {
  /// The filter as the user wrote it.
  package let text: String
  let root: FilterTerm

  package init(parsing text: String) throws(FilterProblem) {
    self.text = text
    var parser = try FilterParser(text)
    root = try parser.whole()
  }

  package func passes(_ change: ItemChange, job: JobName) -> Bool {
    root.value(of: FilterSubject(change: change, job: job)).isTrue
  }

  /// The names of the fields in the filter that are not standard item fields, without duplicates.
  package var furtherFields: [String] {
    var names: [String] = []
    for name in root.fields where !FilterSubject.fields.contains(name) && !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// The names of the standard item fields, sorted.
  package static var usualFields: [String] { FilterSubject.fields.sorted() }

  package static func == (left: ItemFilter, right: ItemFilter) -> Bool {
    ExactText(left.text) == ExactText(right.text)
  }
}

/// The item to which a filter is applied.
struct FilterSubject {
  let change: ItemChange
  let job: JobName

  static let fields: Set<String> = [
    "id", "change", "job", "title", "url", "published", "publishedAt", "updated", "author",
    "summary", "content", "tags", "fields",
  ]

  /// Returns the value at a path; null if the item has no such value. A removed item has only `id`,
  /// `change`, `job`, and the title and URL of its last version.
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

/// The reason why a filter or a delivery template is invalid.
package struct FilterProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The message, which ends with the place, such as `(character 7)`, if the place is known.
  package var description: String

  /// Creates a problem from its description and place.
  ///
  /// - Parameter place: the index of the character at which the problem is, starting at 0; nil if
  ///   unknown.
  init(_ description: String, at place: Int? = nil) {
    self.description = description + (place.map { " (character \($0 + 1))" } ?? "")
  }
}
