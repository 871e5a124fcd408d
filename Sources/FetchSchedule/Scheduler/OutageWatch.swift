import FetchValues

/// A detector that distinguishes a broken network from broken sources, by the last runs with
/// requests.
///
/// A machine that sleeps or lost its DNS fails all its jobs together; counting that would put every
/// one of them in back-off.
struct OutageWatch: Sendable {
  struct End: Sendable {
    var job: Int32
    var lane: Int32
    var isWithoutAnswer: Bool
    /// Whether its job was healthy before: it had succeeded, and not failed since.
    var isSudden: Bool
    var at: Timestamp
  }

  private var ends: [End] = []

  static let endsMax = 16
  static let span: Duration = .seconds(120)
  /// The least number of consecutive runs without an answer.
  static let failuresMin = 5
  /// The least number of hostnames among them.
  static let lanesMin = 3
  /// The longest time between related failures of different hostnames.
  static let silenceSpan: Duration = .seconds(3600)

  /// Notes a run's end. Returns the runs that the network made fail, once it is considered down.
  /// `lanesAsked` counts the existing hostnames, up to `most`; it is called rarely.
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

  /// Returns the failures since the last answer if they are sudden: healthy hostnames fail one
  /// after the other without an answer in between. Those that have failed for long, or always,
  /// prove nothing.
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
