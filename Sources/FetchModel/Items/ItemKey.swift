import FetchValues

/// The identity of an item within its job, as text.
package struct ItemKey: Hashable, Sendable {
  private let exact: ExactText
  package var text: String { exact.text }

  /// The longest key; a longer one is hashed, because an index page could hold only one of them.
  package static let textBytesMax = 1024

  package init(_ text: String) { exact = ExactText(text) }
}
