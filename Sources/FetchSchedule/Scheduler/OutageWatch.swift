import FetchValues

/// The detector of a broken network, which examines the last runs that sent requests. Failures of a
/// single source do not count.
///
/// On a machine that sleeps or has lost its DNS, all jobs fail together. If these failures counted,
/// every job would back off.
struct OutageWatch: Sendable {
  struct End: Sendable {
    var job: Int32
    var lane: Int32
    var isWithoutAnswer: Bool
    /// Whether the job was healthy before: it had succeeded at least once, and had not failed since
    /// then.
    var isSudden: Bool
    var at: Timestamp
  }

  private var ends: [End] = []

  static let endsMax = 16
  static let span: Duration = .seconds(120)
  /// The minimum number of consecutive runs without an answer that prove an outage.
  static let failuresMin = 5
  /// The minimum number of different hostnames among these runs.
  static let lanesMin = 3
  /// The maximum time between failures of different hostnames that count as related.
  static let silenceSpan: Duration = .seconds(3600)

  /// Records the end of a run. Returns the runs that failed because of the network if the network
  /// now counts as down; otherwise nil. `lanesAsked` returns the number of hostnames, counted up to
  /// `most`, and is called rarely.
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

  /// Returns the failures since the last answer if the network probably caused them: healthy
  /// hostnames fail one after another without an answer in between. Hostnames that have failed for
  /// a long time, or always, prove nothing.
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
