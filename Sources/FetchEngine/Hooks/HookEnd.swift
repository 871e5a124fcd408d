package import FetchModel
package import FetchValues

/// The result of calling a hook's function.
package struct HookEnd: Sendable {
  /// The failure; nil if the function returned.
  package var failure: Failure?
  /// Whether the call failed because the hook's file waits for approval, so that no part of the
  /// file has run.
  package var isHeld = false
  package var logs: [LogLine] = []
  /// The latest retry time that a server or the hook requested; nil if there was none.
  package var retryAfter: Timestamp?
  package var usage = RunUsage()
  /// The costs of the call's requests and of the call's code.
  var traffic = HookUsage()
  /// The time before which a request of the call cannot be made; nil if no request was postponed.
  var postponedUntil: Timestamp?
}
