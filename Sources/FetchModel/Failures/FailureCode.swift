/// Why a run failed, as other programs read it in `failure.code`. Stable: never rename a case.
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

  // The plugin.
  /// The file cannot be read, compiled or understood, or its manifest is wrong.
  case invalidPlugin
  /// An option is missing, unknown or of the wrong kind.
  case invalidOption
  /// The plugin raised an error.
  case pluginError
  /// `fetch` returned `nil, message`: a failure the plugin expected.
  case pluginFailed
  /// What `fetch` returned or emitted is not a list of items.
  case invalidItem
  /// A value that cannot cross the border: cyclic, NaN, not UTF-8, a key that is no string.
  case invalidValue
  /// The plugin asked for what it was not granted.
  case permission
  /// A secret could not be read, or a token not be renewed.
  case secretUnavailable
  /// The worker process ended in the middle of this run, by this run's doing.
  case workerCrashed
  /// The worker process could not be started or does not speak our language.
  case workerUnavailable

  // The network, where a plugin let the error be the run's end.
  case offline
  case nameResolution
  case connection
  case tls
  case httpTimeout
  case httpStatus
  case redirect
  case invalidResponse
  case invalidURL

  // Files.
  /// A file or folder cannot be read, written, moved or removed, or has a name that none can have.
  case fileAccess
  /// The job's folder holds as much as it may.
  case fileQuota

  // The store.
  /// The job's items would take more of the store than one job may.
  case storeQuota

  // The host.
  case storeUnavailable
  case cancelled
  case abandoned
  case internalError
}
