/// The reason why a run or another operation failed. Programs read `code`, people read `message`,
/// and the scheduler reads `retryable`. `file` and `line` give the place in a Lua file, if the
/// place is known.
package struct Failure: Error, Equatable, Sendable {
  package var code: FailureCode
  /// The message for people.
  package var message: String
  /// Whether the same run may succeed later without a change by the user.
  package var retryable: Bool
  package var file: String?
  package var line: Int?
  /// The Lua traceback, innermost frame first. It has no frames of fetchrun's own Lua code or of C
  /// functions.
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

/// The reason for a failure, which other programs read in `failure.code`. A case must never be
/// renamed.
package enum FailureCode: String, Sendable, CaseIterable {
  // Limits of the run: see `RunLimits`.
  case timeLimit
  case cpuLimit
  case memoryLimit
  case bodyLimit
  case hostCallLimit
  case itemLimit
  case resultLimit
  case logLimit
  case nestingLimit

  // The plugin: its file cannot be read or compiled, or its manifest is invalid.
  case invalidPlugin
  /// An option, a secret or a setting is missing, unknown or invalid.
  case invalidOption
  /// The plugin raised an error.
  case pluginError
  /// The plugin or hook reported a failure that it expected, for example `fetch` returned `nil,
  /// message`. The code also applies to a recording whose replay differs from the recorded run.
  case pluginFailed
  /// The result is not a list of items, or all items are empty. The code also applies if an item is
  /// not a table or a field has the wrong type.
  case invalidItem
  /// A value that the plugin passes to the host is invalid. For example, the value is cyclic, NaN
  /// or not UTF-8, or has a key that is not a string.
  case invalidValue
  /// The plugin used or requested a permission that was not granted.
  case permission
  /// A secret could not be read, or an access token could not be obtained.
  case secretUnavailable
  /// The worker process ended or sent invalid data.
  case workerCrashed
  /// No worker process could be started, or the worker program is from another version of fetchrun
  /// or cannot be confined.
  case workerUnavailable

  // The network: a request failed, or its address is invalid.
  case offline
  case nameResolution
  case connection
  case tls
  case httpTimeout
  case httpStatus
  case redirect
  case invalidResponse
  case invalidURL

  // Files: a file or folder cannot be read, written, moved or removed, or has an invalid name.
  case fileAccess
  /// The quota of the job's folder is exhausted.
  case fileQuota

  // The store: the job's items would exceed its share of the store.
  case storeQuota

  // The host: its store is unavailable, the run was cancelled or abandoned, or fetchrun has an
  // internal error.
  case storeUnavailable
  case cancelled
  case abandoned
  case internalError
}

extension Failure {
  /// The maximum length of a message, in bytes.
  package static let messageBytesMax = 4 << 10
  /// The maximum number of frames in a traceback. The innermost frames are kept, because they show
  /// the place of the error.
  package static let tracebackCountMax = 50
  /// The maximum length of a frame's text or of a file name, in bytes.
  package static let placeBytesMax = 1 << 10

  /// The failure with its message, file and traceback shortened to the limits above.
  package var bounded: Failure {
    var failure = self
    failure.message = message.bounded(to: Self.messageBytesMax)
    failure.file = file?.bounded(to: Self.placeBytesMax)
    failure.traceback = traceback.prefix(Self.tracebackCountMax).map {
      $0.bounded(to: Self.placeBytesMax)
    }
    return failure
  }
}

extension String {
  /// Returns the text, shortened to at most `bytesMax` bytes with `…` at the end if it is longer.
  package func bounded(to bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    let mark = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, bytesMax - mark.utf8.count))
    while end.samePosition(in: unicodeScalars) == nil, end > startIndex {
      end = utf8.index(before: end)
    }
    return self[..<end] + mark
  }
}
