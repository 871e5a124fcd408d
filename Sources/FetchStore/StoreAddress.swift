import FetchValues

/// The place of a store: today the path of its file.
///
/// Two addresses are equal where their texts are: one store may have several.
package struct StoreAddress: Hashable, Sendable {
  private let text: ExactText

  /// The store in that file, which need not exist yet.
  package static func file(_ path: String) -> StoreAddress {
    StoreAddress(text: ExactText(path))
  }

  /// The path of the store's file.
  package var path: String { text.text }
}

extension StoreAddress: CustomStringConvertible {
  /// The address as users type it, and as messages name the store.
  package var description: String { path }
}
