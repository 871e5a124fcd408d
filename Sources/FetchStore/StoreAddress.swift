import FetchValues

/// The address of a store: at present the path of its file.
///
/// Addresses are compared as texts, so one store may have several.
package struct StoreAddress: Hashable, Sendable {
  private let text: ExactText

  /// Returns the address of the store in that file, which need not exist yet.
  package static func file(_ path: String) -> StoreAddress {
    StoreAddress(text: ExactText(path))
  }

  /// The path of the store's file.
  package var path: String { text.text }
}

extension StoreAddress: CustomStringConvertible {
  /// The address as users type it and messages show it.
  package var description: String { path }
}
