/// The reason why a run failed: for programs (`code`), for people (`message`), for the scheduler
/// (`retryable`). `file` and `line` point into the plugin if known.
package struct Failure: Error, Equatable, Sendable {
  package var code: FailureCode
  /// One sentence: what happened, to what, what to do. No full stop, no line break.
  package var message: String
  /// Whether the same run may succeed later without a change by the user.
  package var retryable: Bool
  package var file: String?
  package var line: Int?
  /// The Lua traceback, trimmed to the plugin's own frames, innermost first.
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
