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
  /// An option is missing, unknown or of the wrong kind.
  case invalidOption
  /// The plugin raised an error.
  case pluginError
  /// `fetch` returned `nil, message`: a failure that the plugin expected.
  case pluginFailed
  /// The result of `fetch` is not a list of items.
  case invalidItem
  /// A value cannot be passed to the host, because it is cyclic, NaN or not UTF-8, or has a key
  /// that is not a string.
  case invalidValue
  /// The plugin used a permission that was not granted.
  case permission
  /// A secret could not be read, or a token could not be renewed.
  case secretUnavailable
  /// The worker process ended during the run, and the run caused it.
  case workerCrashed
  /// The worker process could not be started, or it violated the protocol.
  case workerUnavailable

  // The network, if the plugin did not handle the error.
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

  // The host.
  case storeUnavailable
  case cancelled
  case abandoned
  case internalError
}
