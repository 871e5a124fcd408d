package import FetchModel
package import FetchValues

/// The result of calling a hook's function.
package struct HookEnd: Sendable {
  /// The failure; nil if the function returned.
  package var failure: Failure?
  /// Whether it failed because its file waits for approval: nothing of it has run.
  package var isHeld = false
  package var logs: [LogLine] = []
  /// The latest end of the cooldowns that servers requested.
  package var retryAfter: Timestamp?
  package var usage = RunUsage()
  /// The costs of its requests and its code.
  var traffic = HookUsage()
  /// Until when it waits for a request that cannot be made now; nil if there is none.
  var postponedUntil: Timestamp?
}
