import FetchValues

/// What an item is recognised by within its job: the text that its identity came to.
package struct ItemKey: Hashable, Sendable {
  private let exact: ExactText
  package var text: String { exact.text }

  /// A key longer than this would make every index page hold one key: its hash stands in.
  package static let textBytesMax = 1024

  package init(_ text: String) { exact = ExactText(text) }
}
