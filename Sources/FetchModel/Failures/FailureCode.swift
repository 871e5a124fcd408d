/// The reason for a failure, for other programs in `failure.code`. Stable: never rename a case.
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

  // The plugin. The file cannot be read or compiled, or its manifest is invalid.
  case invalidPlugin
  /// An option is missing, unknown or of the wrong kind.
  case invalidOption
  /// The plugin raised an error.
  case pluginError
  /// `fetch` returned `nil, message`: a failure that the plugin expected.
  case pluginFailed
  /// The result of `fetch` is not a list of items.
  case invalidItem
  /// A value that cannot be passed to the host: cyclic, NaN, not UTF-8, or with a key that is not a
  /// string.
  case invalidValue
  /// The plugin used a permission that it was not granted.
  case permission
  /// A secret could not be read, or a token could not be renewed.
  case secretUnavailable
  /// The worker process ended during this run and because of it.
  case workerCrashed
  /// The worker process could not be started or violates the protocol.
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

  // Files. A file or folder cannot be read, written, moved or removed, or has an impossible name.
  case fileAccess
  /// The quota of the job's folder is exhausted.
  case fileQuota

  // The store. The job's items would exceed its share of the store.
  case storeQuota

  // The host.
  case storeUnavailable
  case cancelled
  case abandoned
  case internalError
}
