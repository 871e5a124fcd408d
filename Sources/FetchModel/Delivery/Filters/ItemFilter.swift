import FetchValues

/// A condition on an item, as a hook's `when` has it: `title contains "Swift" and price < 10`.
///
/// Comparisons are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `starts`, `ends` and `in`, joined
/// by `and`, `or`, `not` and parentheses. A name is a field of the item, with dots for what lies
/// within; one that the item has not is `null`. Text compares by its bytes, in `contains`, `starts`
/// and `ends` whatever the case; `contains` and `in` also look through lists. There are no regular
/// expressions: one that is badly written could hold up the host.
package struct ItemFilter: Equatable, Sendable {
  /// As it was written.
  package let text: String
  let root: FilterTerm

  package init(parsing text: String) throws(FilterProblem) {
    self.text = text
    var parser = try FilterParser(text)
    root = try parser.whole()
  }

  package func passes(_ change: ItemChange, job: String) -> Bool {
    root.value(of: FilterSubject(change: change, job: job)).isTrue
  }

  /// The fields it names that are not those of every item, each once.
  package var furtherFields: [String] {
    var names: [String] = []
    for name in root.fields where !FilterSubject.fields.contains(name) && !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// The fields that every item may have.
  package static var usualFields: [String] { FilterSubject.fields.sorted() }

  package static func == (left: ItemFilter, right: ItemFilter) -> Bool {
    ExactText(left.text) == ExactText(right.text)
  }
}
