/// How much one delivery of a hook has in it.
package enum HookBatching: Equatable, Sendable {
  /// The news of a run together.
  case run
  /// One item.
  case each
  /// All that came in so long a time, of all jobs of the hook together.
  case digest(Duration)
}
