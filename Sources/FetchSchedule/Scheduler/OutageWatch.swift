import FetchValues

/// Tells a broken network from broken sources by the last runs that asked anybody.
///
/// A machine that sleeps, or whose DNS is gone, fails all its jobs at once; charging them for it
/// would put every one of them in back-off.
struct OutageWatch: Sendable {
  struct End: Sendable {
    var job: Int32
    var lane: Int32
    var isWithoutAnswer: Bool
    /// Whether its job went well until now: it has succeeded before, and not failed since.
    var isSudden: Bool
    var at: Timestamp
  }

  private var ends: [End] = []

  static let endsMax = 16
  static let span: Duration = .seconds(120)
  /// At least so many runs without an answer, to so many hostnames, and nobody who answered among
  /// the last five.
  static let failuresMin = 5
  static let lanesMin = 3
  /// Hostnames that fall silent further apart have nothing to do with each other.
  static let silenceSpan: Duration = .seconds(3600)

  /// Notes a run's end, and returns the runs that were failed by the network once it is taken for
  /// down. `lanesAsked` counts the hostnames that there are, up to that many; it is asked seldom.
  mutating func note(_ end: End, lanesAsked: (_ most: Int) -> Int) -> [End]? {
    if ends.count == Self.endsMax { ends.removeFirst() }
    ends.append(end)
    guard end.isWithoutAnswer else { return nil }
    let recent = ends.reversed().prefix {
      $0.isWithoutAnswer && end.at - $0.at <= Self.span
    }
    let isMany =
      recent.count >= Self.failuresMin && Set(recent.map(\.lane)).count >= Self.lanesMin
    let failed = isMany ? Array(recent) : sinceAnswer(until: end.at, lanesAsked: lanesAsked)
    if failed != nil { ends.removeAll() }
    return failed
  }

  /// Few and far between: hostnames that went well until now fail one after the other, and nobody has
  /// answered between. Those that have been failing for long, or always, say nothing.
  private func sinceAnswer(until now: Timestamp, lanesAsked: (Int) -> Int) -> [End]? {
    let silent = ends.reversed().prefix {
      $0.isWithoutAnswer && now - $0.at <= Self.silenceSpan
    }
    let lanes = Set(silent.filter(\.isSudden).map(\.lane))
    guard lanes.count > 1 else { return nil }
    let isAll = lanes.count >= Self.lanesMin || lanesAsked(lanes.count + 1) <= lanes.count
    return isAll ? Array(silent) : nil
  }

  mutating func forget() { ends.removeAll() }
}
