import FetchValues

/// What is believed of this machine's network.
enum Network: Hashable, Sendable {
  case up
  /// Somebody who knows has said so.
  case offline(since: Timestamp)
  /// All connections failed lately: one job at a time tries again.
  case suspected(since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// So many jobs that try in vain are the network's fault. After that it may as well be the sources
  /// that are gone, and who tries in vain has failed.
  static let blamelessProbesMax = 5
  /// Each job that waited makes the return this much longer, up to ten minutes.
  static let returnSpread: Duration = .milliseconds(100)
  static let returnSpreadMax: Duration = .seconds(600)
}
