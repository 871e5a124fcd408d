/// The reason why a run failed. Programs read `code`, people read `message`, and the scheduler
/// reads `retryable`. `file` and `line` give the place in the plugin, if the place is known.
package struct Failure: Error, Equatable, Sendable {
  package var code: FailureCode
  /// The message: one sentence without a full stop or line break that says what happened, to what,
  /// and what to do.
  package var message: String
  /// Whether the same run may succeed later without a change by the user.
  package var retryable: Bool
  package var file: String?
  package var line: Int?
  /// The Lua traceback, innermost frame first. Only the frames of the plugin's own files are kept.
  package var traceback: [String] = []

  package init(
    _ code: FailureCode, _ message: String, retryable: Bool = false,
    file: String? = nil, line: Int? = nil, traceback: [String] = []
  ) {
    self.code = code
    self.message = message
    self.retryable = retryable
    self.file = file
    self.line = line
    self.traceback = traceback
  }
}

extension Failure: CustomStringConvertible {
  package var description: String { message }
}
