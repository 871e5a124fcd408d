import FetchValues

/// The identity of an item within its job, as text.
package struct ItemKey: Hashable, Sendable {
  private let exact: ExactText
  package var text: String { exact.text }

  /// The maximum length of a key, in bytes. A longer key is hashed, because a page of the database
  /// index would have room for only one such key.
  package static let textBytesMax = 1024

  package init(_ text: String) { exact = ExactText(text) }
}
