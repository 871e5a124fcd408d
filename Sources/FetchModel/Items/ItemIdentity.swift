import FetchValues

/// The plugin's rule for when items in two results are the same item.
package enum ItemIdentity: Equatable, Sendable {
  /// The identity is the item's `id`; without an id its `url`, and without a URL its content.
  case automatic
  /// The identity is the values of the given fields together. An item without any of these fields
  /// uses `automatic`.
  case fields([String])

  package static func field(_ name: String) -> ItemIdentity { .fields([name]) }
}
