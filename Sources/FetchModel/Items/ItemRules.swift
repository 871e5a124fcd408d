/// The `items` part of a manifest: how a job's items are recognised and compared.
package struct ItemRules: Equatable, Sendable {
  package var identity: ItemIdentity = .automatic
  /// Names of fields (`title`, `summary`, or a further one) whose change is not news: counters,
  /// tokens, advertisements.
  package var ignore: [String] = []
  package var firstRun: FirstRunRule = .all
  /// A result is the whole set, so absence means removed.
  package var complete = false

  package init() {}
}
