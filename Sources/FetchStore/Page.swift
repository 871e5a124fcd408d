/// One part of a long answer, and where the next one begins.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  /// Nil: this was the last part.
  package var next: PageMark?

  package init(_ elements: [Element], next: PageMark? = nil) {
    self.elements = elements
    self.next = next
  }
}

extension Page: Equatable where Element: Equatable {}

/// The place where the next page of an answer begins: for the store and the query that gave it, and
/// for nobody else.
package enum PageMark: Equatable, Sendable {
  /// After this sequence, or before it where the newest come first; so many may follow.
  case sequence(Int64, left: Int?)
  /// These items, by the sequences of their newest versions.
  case items(ArraySlice<Int64>)
  /// After this row of the store's own.
  case row(Int64)

  /// The elements of a page, at most.
  package static let countMax = 1_000
}
