package import FetchValues

/// A condition on an item, as in a hook's `when`: `title contains "Swift" and price < 10`.
///
/// Comparisons are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `starts`, `ends` and `in`, joined
/// by `and`, `or`, `not` and parentheses. A name is a field of the item, with dots for nested
/// values; a missing field is `null`. Text is compared by its bytes; `contains`, `starts` and
/// `ends` ignore case. `contains` and `in` also search lists. There are no regular expressions,
/// because a badly written expression could block the host.
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
    left == right
  }
}
