package import FetchValues

/// The start times of a hook's recent attempts to deliver, for the hook's rate.
package struct DeliveryPace: Equatable, Sendable {
  /// The times in the order of the starts.
  private var times: [Timestamp] = []

  package init() {}

  package mutating func begin(_ rate: Rate, now: Timestamp) {
    times.removeAll { now - $0 >= rate.period.duration }
    times.append(now)
  }

  /// Removes the start time of an attempt that sent nothing.
  package mutating func takeBack(begunAt: Timestamp) {
    if let index = times.lastIndex(of: begunAt) { times.remove(at: index) }
  }

  /// Returns the time at which the next delivery may start; nil if it may start now. Start times
  /// after `now` are ignored: the clock was set back after these starts.
  package func opensAt(_ rate: Rate, now: Timestamp) -> Timestamp? {
    let recent = times.filter { now - $0 < rate.period.duration && $0 <= now }
    let count = Int(clamping: max(1, rate.amount))
    guard recent.count >= count else { return nil }
    return recent[recent.count - count] + rate.period.duration
  }

  // MARK: Kept

  /// The number of slots in a period. Start times are rounded to slots and stored as one time and
  /// one count for each slot. This limits the stored size for a high rate.
  private static let slotsPerPeriod: Int64 = 240
  private static let countMax: Int64 = 1_000_000
  /// The latest valid time, in milliseconds. It is small enough that sums of times cannot overflow.
  private static let timeMax: Int64 = 1 << 50

  /// Encodes the start times. Times are rounded up by at most a 240th of the period, which can only
  /// delay the next delivery. If the next delivery cannot start now, the time when it can start is
  /// appended. Readers that do not know the rate use this time.
  package func encoded(_ rate: Rate, now: Timestamp) -> [UInt8] {
    let slot = max(1, rate.period.duration.wholeMilliseconds / Self.slotsPerPeriod)
    var counts: [(time: Int64, count: Int64)] = []
    for time in times.lazy.map(\.milliseconds) {
      // The time is not rounded up beyond the present time, because `opensAt` ignores future times.
      // A time that is loaded and stored again stays within its slot.
      let end = min((time + slot - 1) / slot * slot, max(time, now.milliseconds))
      if counts.last?.time == end {
        counts[counts.count - 1].count += 1
      } else {
        counts.append((end, 1))
      }
    }
    var writer = ValueWriter()
    let opensAt = opensAt(rate, now: now)
    writer.beginArray(count: 2 * counts.count + (opensAt == nil ? 0 : 1))
    for entry in counts {
      writer.write(entry.time)
      writer.write(entry.count)
    }
    if let opensAt { writer.write(opensAt.milliseconds) }
    return writer.bytes
  }

  /// Decodes a pace; nil if the bytes are invalid.
  package init?(decoding bytes: [UInt8]) {
    guard let times = bytes.withUnsafeBytes({ try? Self.times($0) }) else { return nil }
    self.times = times
  }

  /// Returns the time at which the next delivery may start, as computed when the pace was stored.
  /// The result is nil if a delivery could start immediately at that moment, or if the bytes are
  /// invalid.
  package static func opensAt(keptIn bytes: [UInt8]) -> Timestamp? {
    bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      guard let count = try? reader.readArrayHead(), count % 2 == 1 else { return nil }
      var last: Int64?
      for _ in 0..<count {
        guard let number = try? reader.readInteger() else { return nil }
        last = number
      }
      return last.flatMap { (0...timeMax).contains($0) ? Timestamp(milliseconds: $0) : nil }
    }
  }

  private static func times(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> [Timestamp] {
    var reader = ValueReader(bytes)
    var times: [Timestamp] = []
    for _ in 0..<(try reader.readArrayHead() / 2) {
      let (time, count) = (try reader.readInteger(), try reader.readInteger())
      guard (0...timeMax).contains(time), count > 0, count <= countMax - Int64(times.count) else {
        throw .truncated
      }
      times += Array(repeating: Timestamp(milliseconds: time), count: Int(count))
    }
    return times
  }
}

/// The present rates of hooks. Lists of deliveries use them to show how long a rate delays a
/// delivery.
package struct HookRates: Sendable {
  private let rates: [HookName: Rate]?

  /// Creates the rates from the settings of the hooks.
  ///
  /// - Parameter hooks: all hooks of the config. Any other hook has no rate.
  package init(of hooks: [HookConfig]) {
    rates = Dictionary(
      hooks.compactMap { hook in hook.rate.map { (hook.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private init() { rates = nil }

  /// The rates of hooks when no config is loaded. `openings` then returns the times that are stored
  /// in the paces.
  package static let unknown = HookRates()

  /// Returns the times at which the hooks may send again, by hook, computed from the stored paces.
  /// Hooks that may send now are omitted.
  package func openings(
    of paces: [HookName: [UInt8]], now: Timestamp
  ) -> [HookName: Timestamp] {
    var openings: [HookName: Timestamp] = [:]
    for (hook, pace) in paces { openings[hook] = opensAt(hook, pace, now) }
    return openings
  }

  private func opensAt(_ hook: HookName, _ pace: [UInt8], _ now: Timestamp) -> Timestamp? {
    guard let rates else {
      return DeliveryPace.opensAt(keptIn: pace).flatMap { $0 > now ? $0 : nil }
    }
    guard let rate = rates[hook] else { return nil }
    return DeliveryPace(decoding: pace)?.opensAt(rate, now: now)
  }
}
