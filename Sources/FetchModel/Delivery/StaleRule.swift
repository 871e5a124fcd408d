package import FetchValues

/// The rule for when a job is stale for a hook. A job is stale if no run has succeeded, or no run
/// has had news, for a time that the hook sets. The hook sets the two times separately, because a
/// job without news is not broken.
package enum StaleRule {
  package enum What: String, Sendable, CaseIterable {
    case success
    case newData
  }

  /// A notification about a stale job, and the time at which it is due.
  package struct Notification: Equatable, Sendable {
    package var what: What
    package var since: Timestamp
    package var at: Timestamp
    /// The maximum age of the last success or the last news. The job is stale after this time.
    package var after: Duration
  }

  /// The longest grace period after a daemon starts or a paused job is resumed. In this period, a
  /// job can run before it counts as stale.
  package static let catchUpMax: Duration = .seconds(3600)

  /// The earliest plausible time, 2026-01-01. An earlier time means that the clock was not set
  /// since the machine started, so the age of a success is unknown.
  package static let clockMin = Timestamp(seconds: 1_767_225_600)

  /// Returns the notifications that the hook receives if the job has no further success or news. A
  /// notification with a time in the past is overdue.
  ///
  /// - Parameters:
  ///   - lastSuccessAt: the time of the last success. For a job without a success, the time of its
  ///     first failure or the time when the job was first seen.
  ///   - lastNewDataAt: the time of the last run with news; for a job without news, the time when
  ///     the job was first seen.
  ///   - activeSince: the time since which the job may run. Before this time, the job was paused or
  ///     no daemon ran.
  package static func notifications(
    _ hook: HookConfig, lastSuccessAt: Timestamp, lastNewDataAt: Timestamp, activeSince: Timestamp
  ) -> [Notification] {
    guard hook.events.contains(.stale) else { return [] }
    let ages = [
      (What.success, lastSuccessAt, hook.staleAfter), (.newData, lastNewDataAt, hook.quietAfter),
    ]
    return ages.compactMap { what, since, after in
      after.map { after in
        let earliest = activeSince + min(after, catchUpMax)
        return Notification(
          what: what, since: since, at: max(since + after, earliest), after: after)
      }
    }
  }

  /// Returns the delivery of a notification. The delivery's idempotency key consists of `id`, the
  /// hook's name and `stale`.
  package static func delivery(
    _ notification: Notification, of hook: HookConfig, job: JobName, id: RunID, now: Timestamp
  ) -> NewDelivery {
    let key = "\(id)_\(hook.name)_stale"
    var stale = JSONLine()
    stale.member("what", notification.what.rawValue)
    stale.member("since", notification.since.description)
    var line = JSONLine()
    line.member("id", key)
    line.member("hook", hook.name)
    line.member("event", DeliveryEvent.stale.rawValue)
    line.member("job", job)
    line.member("at", now.description)
    line.member("run", literal: "null")
    line.member("stale", literal: stale.closed())
    line.member("items", literal: "[]")
    return NewDelivery(
      hook: hook.name, job: job, run: nil, event: .stale, payload: DeliveryPayload(line.closed()),
      key: key,
      notBefore: hook.notBefore(now), createdAt: now)
  }
}
