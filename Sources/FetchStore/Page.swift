/// One part of a long answer, and the place where the next one begins.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  /// The start of the next page; nil after the last one.
  package var next: PageMark?

  package init(_ elements: [Element], next: PageMark? = nil) {
    self.elements = elements
    self.next = next
  }
}

extension Page: Equatable where Element: Equatable {}

/// The start of the next page of an answer, valid only for the same store and query.
package enum PageMark: Equatable, Sendable {
  /// After this sequence, or before it in a query for the newest first; `left` more may follow.
  case sequence(Int64, left: Int?)
  /// These items, by the sequences of their newest versions.
  case items(ArraySlice<Int64>)
  /// After this row, by the store's own number.
  case row(Int64)

  /// The maximum number of elements of a page.
  package static let countMax = 1_000
}
