import FetchValues

/// What keeps a store from being written, which is never the fault of a job's source.
package struct StoreTrouble: Hashable, Sendable {
  /// What is wrong and what to do: a sentence without its end.
  package var message: String
  /// Whether it may end by itself, as a full disk does and a lock of another program. If not, the
  /// process has to be started again.
  package var mayPass: Bool

  package init(_ message: String, mayPass: Bool) {
    self.message = message
    self.mayPass = mayPass
  }
}

/// What is believed of the store.
enum StoreState: Hashable, Sendable {
  case up
  /// A run could not be stored. Nothing begins but, at `probeAt`, one job that tries again.
  case refusing(StoreTrouble, since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// Trouble that comes back within this time of the last goes on with the delay that it had: a store
  /// may have room for small results and none for a large one, whose source is not to be asked again
  /// each minute.
  static let relapseMax: Duration = .seconds(3600)
}
