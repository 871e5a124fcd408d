import FetchValues

/// The plugin's rule when two results are the same item.
package enum ItemIdentity: Equatable, Sendable {
  /// The item's `id`, otherwise its `url`, otherwise its content.
  case automatic
  /// The values of these fields together; an item that has none of them falls back to
  /// `automatic`.
  case fields([String])

  package static func field(_ name: String) -> ItemIdentity { .fields([name]) }
}
