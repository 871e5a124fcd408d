/// The rules for the identity and comparison of items, from `items` in a manifest.
package struct ItemRules: Equatable, Sendable {
  package var identity: ItemIdentity = .automatic
  /// The names of the fields whose change is not news, such as counters, tokens and advertisements:
  /// `title`, `summary` or a further field.
  package var ignore: [String] = []
  package var firstRun: FirstRunRule = .all
  /// Whether a result has every item of the source, so that an item that is missing in the result
  /// was removed.
  package var complete = false

  package init() {}
}
