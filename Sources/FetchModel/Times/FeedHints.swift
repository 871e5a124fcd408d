package import FetchValues

/// The hints of feeds about when to fetch them again: `ttl`, `skipHours` and `skipDays` (RSS 2.0),
/// `sy:updatePeriod`, `sy:updateFrequency` and `sy:updateBase` (RSS 1.0 syndication module).
package struct FeedHints: Hashable, Sendable {
  /// The times at which a feed is updated regularly.
  struct Updates: Hashable, Sendable {
    /// The number of seconds between two updates: 1...`secondsMax`.
    var seconds: UInt32
    /// The offset of the updates from the multiples of `seconds` since 1970, in seconds; nil if
    /// unknown.
    var phase: UInt32?
  }

  /// The feed's `ttl` in seconds; 0 if absent.
  private(set) var ttlSeconds: UInt32 = 0
  private(set) var updates: Updates?
  /// The hours of the day in UTC in which the feed is not updated: bit n is hour n. A value with
  /// all 24 bits becomes 0.
  package var skipHours: UInt32 = 0 { didSet { skipHours = Self.notAll(skipHours, of: 24) } }
  /// The days of the week in UTC on which the feed is not updated: bit 0 is Sunday. A value with
  /// all 7 bits becomes 0.
  package var skipDays: UInt8 = 0 {
    didSet { skipDays = UInt8(Self.notAll(UInt32(skipDays), of: 7)) }
  }

  /// The maximum `ttl` or update period, in seconds: one leap year.
  static let secondsMax: Int64 = 366 * 86_400

  package init() {}

  package var isEmpty: Bool { self == FeedHints() }

  /// The time for which a copy of the feed is valid; nil if the feed does not give this time. A new
  /// value below one second counts as nil. A longer value is cut to whole seconds, at most
  /// `secondsMax`.
  package var ttl: Duration? {
    get { ttlSeconds == 0 ? nil : .seconds(ttlSeconds) }
    set { ttlSeconds = Self.bounded(newValue) }
  }

  /// The time between two updates; nil if the feed gives no update times.
  package var updatePeriod: Duration? { updates.map { .seconds($0.seconds) } }

  /// Sets the update period. `base` is the time of one update. A period that is nil or below one
  /// second removes the update times.
  package mutating func setUpdates(every period: Duration?, from base: Timestamp? = nil) {
    let seconds = Self.bounded(period)
    updates = seconds == 0 ? nil : Updates(seconds: seconds, phase: base?.phase(of: seconds))
  }

  private static func bounded(_ duration: Duration?) -> UInt32 {
    UInt32(max(0, min(duration?.components.seconds ?? 0, secondsMax)))
  }

  /// Returns the bits, or 0 if all bits are set, because a feed that skips all hours or all days
  /// gives no hint.
  private static func notAll(_ bits: UInt32, of count: Int) -> UInt32 {
    let all = UInt32(1) << UInt32(count) - 1
    return bits & all == all ? 0 : bits & all
  }

  /// Returns the time of the feed's first update after the given time; nil if the feed gives no
  /// update times. If the phase of the updates is unknown, the update is one period after the given
  /// time.
  package func nextUpdate(after time: Timestamp) -> Timestamp? {
    guard let updates else { return nil }
    guard let phase = updates.phase else { return time + .seconds(updates.seconds) }
    let period = Int64(updates.seconds)
    let passed = (time.seconds - Int64(phase)).floorDivided(by: period)
    return Timestamp(seconds: (passed + 1) * period + Int64(phase))
  }

  /// Returns the combined hints of two feeds. The result never causes a longer wait than the hints
  /// of either feed.
  package func least(_ other: FeedHints) -> FeedHints {
    var least = self
    least.ttlSeconds = min(ttlSeconds, other.ttlSeconds)
    least.skipHours &= other.skipHours
    least.skipDays &= other.skipDays
    if updates != other.updates {
      // Different update times can be combined only if neither has a phase.
      least.updates = nil
      if let own = updates, let others = other.updates, own.phase == nil, others.phase == nil {
        least.updates = own.seconds < others.seconds ? own : others
      }
    }
    return least
  }
}

extension Timestamp {
  fileprivate func phase(of period: UInt32) -> UInt32 {
    let rest = seconds % Int64(period)
    return UInt32(rest < 0 ? rest + Int64(period) : rest)
  }
}

/// The encoding in a worker's message and in the store: a list of five integers.
extension FeedHints: StoredCoding {
  private static let fieldCount = 5

  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Int64(ttlSeconds))
    writer.write(Int64(updates?.seconds ?? 0))
    writer.write(updates?.phase.map(Int64.init) ?? -1)
    writer.write(Int64(skipHours))
    writer.write(Int64(skipDays))
  }

  /// Decodes the hints. Throws an error for a list of another length or a number out of range.
  package init(from reader: inout ValueReader) throws(ValueError) {
    self.init()
    guard try reader.readArrayHead() == Self.fieldCount else {
      throw .unexpected("a list of another length", wanted: "\(Self.fieldCount) feed hints")
    }
    let seconds = 0...Self.secondsMax
    ttl = .seconds(try reader.readInteger(in: seconds))
    let period = Int64(try reader.readInteger(in: seconds))
    let phase = Int64(try reader.readInteger(in: -1...max(period - 1, -1)))
    setUpdates(
      every: .seconds(period), from: phase < 0 ? nil : Timestamp(seconds: phase))
    skipHours = UInt32(try reader.readInteger(in: 0...(1 << 24 - 2)))
    skipDays = UInt8(try reader.readInteger(in: 0...(1 << 7 - 2)))
  }
}

extension FeedHints {
  /// The hints in one sentence for people; nil if there are none.
  package var sentence: String? {
    var parts: [String] = []
    if let ttl { parts.append("ttl \(ttl.shortText)") }
    if let updates {
      let base = updates.phase == nil ? "" : " counted from sy:updateBase"
      parts.append("an update every \(Duration.seconds(updates.seconds).shortText)\(base)")
    }
    if skipHours != 0 { parts.append("skipHours \(Self.ranges(skipHours)) UTC") }
    if skipDays != 0 { parts.append("skipDays \(Weekdays(bits: skipDays)) UTC") }
    return parts.isEmpty ? nil : "Feed hints: \(parts.joined(separator: ", "))."
  }

  /// Returns the numbers of the set bits as text, such as `0-5,23`.
  private static func ranges(_ bits: UInt32) -> String {
    var texts: [String] = []
    var hour = 0
    while hour < 24 {
      guard bits >> UInt32(hour) & 1 == 1 else {
        hour += 1
        continue
      }
      let first = hour
      while hour < 24, bits >> UInt32(hour) & 1 == 1 { hour += 1 }
      texts.append(first == hour - 1 ? "\(first)" : "\(first)-\(hour - 1)")
    }
    return texts.joined(separator: ",")
  }
}
