import FetchValues

/// The presumed state of this machine's network.
enum Network: Hashable, Sendable {
  case up
  /// The system reported it.
  case offline(since: Timestamp)
  /// All recent connections failed: one job at a time tries again.
  case suspected(since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// The number of failed probes that are blamed on the network. After that the sources may be gone
  /// as well, so a failed probe counts as the job's failure.
  static let blamelessProbesMax = 5
  /// The time that each waiting job adds to the spread after the network's return, up to ten
  /// minutes.
  static let returnSpread: Duration = .milliseconds(100)
  static let returnSpreadMax: Duration = .seconds(600)
}
