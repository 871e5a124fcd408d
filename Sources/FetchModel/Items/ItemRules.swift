/// The `items` part of a manifest: the rules for identity and comparison.
package struct ItemRules: Equatable, Sendable {
  package var identity: ItemIdentity = .automatic
  /// The fields (`title`, `summary`, or a further one) whose change is not news: counters, tokens,
  /// advertisements.
  package var ignore: [String] = []
  package var firstRun: FirstRunRule = .all
  /// Whether a result is the whole set, so that absence means removal.
  package var complete = false

  package init() {}
}
