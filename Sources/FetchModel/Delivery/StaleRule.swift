package import FetchValues

/// When a job counts as stale for a hook: no run went well, or none brought anything new, for as
/// long as the hook says. Both ages are kept apart: quiet is not broken.
package enum StaleRule {
  package enum What: String, Sendable, CaseIterable {
    case success
    case newData
  }

  /// What to tell, and since when it holds.
  package struct Notification: Equatable, Sendable {
    package var what: What
    package var since: Timestamp
    package var at: Timestamp
    /// How old it was to be for that.
    package var after: Duration
  }

  /// A job that may run again has so long to show that it is well: after a start of the program most
  /// are due at once, and what is staggered takes its time.
  package static let catchUpMax: Duration = .seconds(3600)

  /// 2026-01-01. A clock that says an earlier time has not been set since the machine started, and
  /// says nothing of ages.
  package static let clockMin = Timestamp(seconds: 1_767_225_600)

  /// When the hook is to be told, as things stand; earlier times are overdue.
  ///
  /// - Parameters:
  ///   - lastSuccessAt: else since when it fails, else when the job was first seen.
  ///   - lastNewDataAt: else when the job was first seen.
  ///   - activeSince: since when it may run: it was paused before, or not served.
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

  /// The same notification has the same key, however often it is decided.
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
