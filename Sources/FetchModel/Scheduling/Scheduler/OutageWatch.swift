/// Tells a broken network from broken sources by the last runs that asked anybody.
///
/// A machine that sleeps, or whose DNS is gone, fails all its jobs at once; charging them for it
/// would put every one of them in back-off.
struct OutageWatch: Sendable {
  struct End: Sendable {
    var job: Int32
    var lane: Int32
    var isWithoutAnswer: Bool
    /// Whether its job had no failures in a row before.
    var isFirstFailure: Bool
    var at: Timestamp
  }

  private var ends: [End] = []

  static let endsMax = 16
  static let span: Duration = .seconds(120)
  /// At least so many runs without an answer, to so many hostnames, and nobody who answered among
  /// the last five.
  static let failuresMin = 5
  static let lanesMin = 3

  /// Notes a run's end, and returns the runs that were failed by the network once it is taken for
  /// down. `lanesAsked` are the hostnames that there are.
  mutating func note(_ end: End, lanesAsked: Int) -> [End]? {
    if ends.count == Self.endsMax { ends.removeFirst() }
    ends.append(end)
    guard end.isWithoutAnswer else { return nil }
    let recent = ends.reversed().prefix {
      $0.isWithoutAnswer && end.at - $0.at <= Self.span
    }
    let isMany =
      recent.count >= Self.failuresMin && Set(recent.map(\.lane)).count >= Self.lanesMin
    let failed = isMany ? Array(recent) : sinceAnswer(lanesAsked: lanesAsked)
    if failed != nil { ends.removeAll() }
    return failed
  }

  /// However far apart they are: hostnames that went well until now fail one after the other, and
  /// nobody has answered between. Those that have been failing for long say nothing.
  private func sinceAnswer(lanesAsked: Int) -> [End]? {
    let silent = ends.reversed().prefix(while: \.isWithoutAnswer)
    let lanes = Set(silent.filter(\.isFirstFailure).map(\.lane))
    return lanes.count >= min(max(lanesAsked, 2), Self.lanesMin) ? Array(silent) : nil
  }

  mutating func forget() { ends.removeAll() }
}
