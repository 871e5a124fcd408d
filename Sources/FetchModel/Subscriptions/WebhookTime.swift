package import FetchValues

/// The id and the time of a Standard Webhooks message.
package struct WebhookTime: Equatable, Sendable {
  package var id: String
  package var timestamp: String

  /// The reason why a message is refused before its signature is checked.
  package enum Problem: Error, Equatable, Sendable {
    /// The id or the time is missing, repeated or invalid.
    case invalid
    /// The time of the message differs from the present time by more than five minutes.
    case stale
  }

  /// The maximum difference between the time of a message and the present time.
  package static let differenceMax: Duration = .seconds(5 * 60)
  package static let idBytesMax = 256

  /// Reads the id and the time from the header fields of a message.
  ///
  /// - Parameters:
  ///   - ids: all values of `webhook-id`.
  ///   - timestamps: all values of `webhook-timestamp`.
  package init(ids: [String], timestamps: [String], now: Timestamp) throws(Problem) {
    guard ids.count == 1, timestamps.count == 1, (1...Self.idBytesMax).contains(ids[0].utf8.count),
      (1...12).contains(timestamps[0].utf8.count),
      timestamps[0].utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(timestamps[0])
    else { throw .invalid }
    let difference = now - Timestamp(seconds: seconds)
    guard difference.magnitude <= Self.differenceMax else { throw .stale }
    (id, timestamp) = (ids[0], timestamps[0])
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}

/// The ids of the messages that were accepted within the last ten minutes. Older messages are
/// refused because of their time.
package struct WebhookIDs: Sendable {
  private var seen: [JobName: [String: Timestamp]] = [:]
  /// The number of ids of all jobs.
  private var count = 0
  private let countPerJobMax: Int

  private static let lifetime: Duration = WebhookTime.differenceMax * 2
  /// The maximum number of ids of all jobs.
  package static let countMax = 10_000

  /// - Parameter countPerJobMax: the maximum number of ids of one job.
  package init(countPerJobMax: Int = countMax) { self.countPerJobMax = countPerJobMax }

  /// The result of an attempt to record an id.
  package enum Answer: Equatable, Sendable {
    case new, repeated
    /// Too many messages came within ten minutes.
    case full
  }

  /// Records the id of a message. The id is not recorded if it was already recorded for the same
  /// job within the last ten minutes. It is also not recorded if `countPerJobMax` other ids of the
  /// job, or `countMax` other ids of all jobs, were recorded within that time.
  package mutating func take(_ id: String, of job: JobName, now: Timestamp) -> Answer {
    if let at = seen[job]?[id], now - at < Self.lifetime { return .repeated }
    // An older record of the same id does not count.
    giveBack(id, of: job)
    if idCount(of: job) >= countPerJobMax { forget(job, now) }
    if count >= Self.countMax { for job in Array(seen.keys) { forget(job, now) } }
    guard idCount(of: job) < countPerJobMax, count < Self.countMax else { return .full }
    seen[job, default: [:]][id] = now
    count += 1
    return .new
  }

  private func idCount(of job: JobName) -> Int { seen[job]?.count ?? 0 }

  /// Removes the ids of a job that are older than ten minutes.
  private mutating func forget(_ job: JobName, _ now: Timestamp) {
    guard let ids = seen[job] else { return }
    let kept = ids.filter { now - $0.value < Self.lifetime }
    count -= ids.count - kept.count
    seen[job] = kept.isEmpty ? nil : kept
  }

  /// Removes an id whose message was not accepted after all, so that the sender can repeat the
  /// message.
  package mutating func giveBack(_ id: String, of job: JobName) {
    guard seen[job]?.removeValue(forKey: id) != nil else { return }
    count -= 1
    if seen[job]?.isEmpty == true { seen[job] = nil }
  }
}
