/// When a job counts as stale for a hook: no run went well, or none brought anything new, for as
/// long as the hook says. Both ages are kept apart: quiet is not broken.
package enum StaleRule {
  package enum What: String, Sendable, CaseIterable {
    case success
    case newData
  }

  /// What to tell, and since when it holds.
  package struct Telling: Equatable, Sendable {
    package var what: What
    package var since: Timestamp
    package var at: Timestamp
  }

  /// When the hook is to be told, as things stand; earlier times are overdue.
  ///
  /// - Parameters:
  ///   - lastSuccessAt: else since when it fails, else when the job was first seen.
  ///   - lastNewDataAt: else when the job was first seen.
  package static func tellings(
    _ hook: HookConfig, lastSuccessAt: Timestamp?, lastNewDataAt: Timestamp?
  ) -> [Telling] {
    guard hook.events.contains(.stale) else { return [] }
    var all: [Telling] = []
    if let after = hook.staleAfter, let since = lastSuccessAt {
      all.append(Telling(what: .success, since: since, at: since + after))
    }
    if let after = hook.quietAfter, let since = lastNewDataAt {
      all.append(Telling(what: .newData, since: since, at: since + after))
    }
    return all
  }

  /// The same telling has the same key, however often it is decided.
  package static func delivery(
    _ telling: Telling, of hook: HookConfig, job: String, id: RunID, now: Timestamp
  ) -> NewDelivery {
    let key = "\(id)_\(hook.name)_stale"
    var stale = JSONLine()
    stale.member("what", telling.what.rawValue)
    stale.member("since", telling.since.description)
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
      hook: hook.name, job: job, run: nil, event: .stale, payload: line.closed(), key: key,
      notBefore: hook.notBefore(now), createdAt: now)
  }
}
