/// Tells a broken network from broken sources by the last runs that asked anybody.
///
/// A machine that sleeps, or whose DNS is gone, fails all its jobs at once; charging them for it
/// would put every one of them in back-off.
struct OutageWatch: Sendable {
  struct End: Sendable {
    var job: Int32
    var lane: Int32
    var isWithoutAnswer: Bool
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
  /// down.
  mutating func note(_ end: End) -> [End]? {
    if ends.count == Self.endsMax { ends.removeFirst() }
    ends.append(end)
    guard end.isWithoutAnswer else { return nil }
    let recent = ends.reversed().prefix {
      $0.isWithoutAnswer && end.at - $0.at <= Self.span
    }
    guard recent.count >= Self.failuresMin, Set(recent.map(\.lane)).count >= Self.lanesMin else {
      return nil
    }
    ends.removeAll()
    return Array(recent)
  }

  mutating func forget() { ends.removeAll() }
}
