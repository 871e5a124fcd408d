package import FetchValues

/// The rule when a job counts as stale for a hook: no run succeeded, or none brought anything new,
/// for the hook's time. The two ages are separate: quiet is not broken.
package enum StaleRule {
  package enum What: String, Sendable, CaseIterable {
    case success
    case newData
  }

  /// A notification and the time since when it is due.
  package struct Notification: Equatable, Sendable {
    package var what: What
    package var since: Timestamp
    package var at: Timestamp
    /// The age that triggered it.
    package var after: Duration
  }

  /// The time that a job has after a start to prove that it works: most jobs are due immediately
  /// then, and staggered ones take their time.
  package static let catchUpMax: Duration = .seconds(3600)

  /// 2026-01-01. An earlier clock has not been set since the machine started, so ages are unknown.
  package static let clockMin = Timestamp(seconds: 1_767_225_600)

  /// Returns when the hook must be notified, as things stand; earlier times are overdue.
  ///
  /// - Parameters:
  ///   - lastSuccessAt: the last success; otherwise the first failure, or when the job was first
  ///     seen.
  ///   - lastNewDataAt: the last new data, or when the job was first seen.
  ///   - activeSince: the time since when it may run: it was paused or not served before.
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

  /// Returns the delivery. The same notification has the same key, however often it is decided.
  package static func delivery(
    _ notification: Notification, of hook: HookConfig, job: String, id: RunID, now: Timestamp
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
