import FetchValues

/// The reason why a store cannot be written. It is never the fault of a job's source.
package struct StoreTrouble: Hashable, Sendable {
  /// The trouble and its remedy, as a sentence without its full stop.
  package var message: String
  /// Whether it may end by itself, like a full disk or another program's lock. If not, the process
  /// must be restarted.
  package var mayPass: Bool

  package init(_ message: String, mayPass: Bool) {
    self.message = message
    self.mayPass = mayPass
  }
}

/// The presumed state of the store.
enum StoreState: Hashable, Sendable {
  case up
  /// A run could not be stored. No run starts, except one at `probeAt` that tries the store again.
  case refusing(StoreTrouble, since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// Trouble that returns within this time keeps its previous delay. A store may have room for
  /// small results but not for a large one, whose source must not be fetched again each minute.
  static let relapseMax: Duration = .seconds(3600)
}
