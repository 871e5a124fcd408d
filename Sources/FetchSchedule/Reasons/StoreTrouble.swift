import FetchValues

/// The reason why a store cannot be written. A job's source is never the cause.
package struct StoreTrouble: Hashable, Sendable {
  /// The problem and what to do, as a sentence without a full stop.
  package var message: String
  /// Whether the problem may end without a restart, like a full disk or another program's lock.
  /// Otherwise the process must be restarted.
  package var mayPass: Bool

  package init(_ message: String, mayPass: Bool) {
    self.message = message
    self.mayPass = mayPass
  }
}

/// The state of the store as the last runs found it.
enum StoreState: Hashable, Sendable {
  case up
  /// The store refused a run. No run starts, except a run at `probeAt` that tests whether the store
  /// is writable again.
  case refusing(StoreTrouble, since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// The maximum time between two problems of the store that count as one problem. For one problem,
  /// the delay between tests continues to grow instead of beginning again. A store may have room
  /// for small results but not for a large result. Without this rule, the source of the large
  /// result would be fetched again each minute.
  static let relapseMax: Duration = .seconds(3600)
}
