package import FetchValues

/// What feeds say in their documents about when to ask again: `ttl`, `skipHours` and `skipDays`
/// (RSS 2.0), `sy:updatePeriod`, `sy:updateFrequency` and `sy:updateBase` (RSS 1.0 syndication
/// module).
///
/// Bounded however it is made, and small: each job keeps one.
package struct FeedHints: Hashable, Sendable {
  /// Times at which a feed is made anew: one each `seconds`.
  struct Updates: Hashable, Sendable {
    /// 1...`secondsMax`.
    var seconds: UInt32
    /// When they are, in seconds after a multiple of `seconds` since 1970, where that is said.
    var phase: UInt32?
  }

  /// 0: not said.
  private(set) var ttlSeconds: UInt32 = 0
  private(set) var updates: Updates?
  /// Bit n for hour n of the day in UTC; never all.
  package var skipHours: UInt32 = 0 { didSet { skipHours = Self.notAll(skipHours, of: 24) } }
  /// Bit 0 for Sunday, in UTC; never all.
  package var skipDays: UInt8 = 0 {
    didSet { skipDays = UInt8(Self.notAll(UInt32(skipDays), of: 7)) }
  }

  /// A year.
  static let secondsMax: Int64 = 366 * 86_400

  package init() {}

  package var isEmpty: Bool { self == FeedHints() }

  /// How long a copy may be kept. What is not above zero says nothing.
  package var ttl: Duration? {
    get { ttlSeconds == 0 ? nil : .seconds(ttlSeconds) }
    set { ttlSeconds = Self.bounded(newValue) }
  }

  /// The time between two updates.
  package var updatePeriod: Duration? { updates.map { .seconds($0.seconds) } }

  /// `base`: an instant of one of the updates.
  package mutating func setUpdates(every period: Duration?, from base: Timestamp? = nil) {
    let seconds = Self.bounded(period)
    updates = seconds == 0 ? nil : Updates(seconds: seconds, phase: base?.phase(of: seconds))
  }

  private static func bounded(_ duration: Duration?) -> UInt32 {
    UInt32(max(0, min(duration?.components.seconds ?? 0, secondsMax)))
  }

  /// Who leaves out all hours has said nothing.
  private static func notAll(_ bits: UInt32, of count: Int) -> UInt32 {
    let all = UInt32(1) << UInt32(count) - 1
    return bits & all == all ? 0 : bits & all
  }

  /// The first of the feed's updates after that instant.
  package func nextUpdate(after time: Timestamp) -> Timestamp? {
    guard let updates else { return nil }
    guard let phase = updates.phase else { return time + .seconds(updates.seconds) }
    let period = Int64(updates.seconds)
    let passed = (time.seconds - Int64(phase)).floorDivided(by: period)
    return Timestamp(seconds: (passed + 1) * period + Int64(phase))
  }

  /// What asks for no more than either of two feeds does, at any time.
  package func least(_ other: FeedHints) -> FeedHints {
    var least = self
    least.ttlSeconds = min(ttlSeconds, other.ttlSeconds)
    least.skipHours &= other.skipHours
    least.skipDays &= other.skipDays
    if updates != other.updates {
      // Two rhythms have no common one, unless both count from the last look.
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

/// The same in a worker's message and in the store: a list of five integers.
extension FeedHints {
  private static let fieldCount = 5

  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Int64(ttlSeconds))
    writer.write(Int64(updates?.seconds ?? 0))
    writer.write(updates?.phase.map(Int64.init) ?? -1)
    writer.write(Int64(skipHours))
    writer.write(Int64(skipDays))
  }

  /// Takes anything; what `encode` cannot have written is an error.
  package init(from reader: inout ValueReader) throws(ValueError) {
    self.init()
    guard try reader.readArrayHead() == Self.fieldCount else {
      throw .unexpected("another count", wanted: "feed hints")
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
  /// One sentence with its end; nil where nothing was said.
  package var sentence: String? {
    var parts: [String] = []
    if let ttl { parts.append("ttl \(ttl.shortText)") }
    if let updates {
      let base = updates.phase == nil ? "" : " counted from sy:updateBase"
      parts.append("sy:updatePeriod \(Duration.seconds(updates.seconds).shortText)\(base)")
    }
    if skipHours != 0 { parts.append("skipHours \(Self.ranges(skipHours)) UTC") }
    if skipDays != 0 { parts.append("skipDays \(Weekdays(bits: skipDays)) UTC") }
    return parts.isEmpty ? nil : "Its feed says of itself: \(parts.joined(separator: ", "))."
  }

  /// `0-5,23`.
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
