package import FetchModel
package import FetchValues

/// What the call of a hook's function came to.
package struct HookEnd: Sendable {
  /// Nil where the function returned.
  package var failure: Failure?
  /// Whether it failed because its file waits for its user's word: nothing of it has run.
  package var isHeld = false
  package var logs: [LogLine] = []
  /// The latest time until which a server that was asked wants to be left alone.
  package var retryAfter: Timestamp?
  package var usage = RunUsage()
  /// What its requests and its code have cost.
  var traffic = HookUsage()
  /// Until when it waits for a request that could not be made now; nil where there is none.
  var postponedUntil: Timestamp?
}
