package import FetchValues

/// A job's due time with all reasons that set or moved it.
package struct DueTime: Hashable, Sendable {
  /// A time, and the reason that set it or moved the due time to it.
  package struct Link: Hashable, Sendable {
    package var at: Timestamp
    package var reason: DueReason

    package init(at: Timestamp, reason: DueReason) {
      self.at = at
      self.reason = reason
    }
  }

  /// The maximum number of reasons for one due time. If there are more, the second oldest reason is
  /// dropped.
  package static let reasonsMax = 5

  package let at: Timestamp
  /// The reasons in the order in which they moved the due time, 1 to `reasonsMax`. The last reason
  /// led to `at`.
  package let reasons: [Link]

  init(at: Timestamp, reason: DueReason, after earlier: [Link]) {
    self.at = at
    reasons = earlier + [Link(at: at, reason: reason)]
  }

  /// `due at …: the learned schedule gave 10:12:00, the feed's ttl moved it to 10:30:00, the window
  /// of … to 10:42:00`. The value is nil if nothing moved the time. A time on another day includes
  /// the date.
  package var sentence: String? {
    guard reasons.count > 1 else { return nil }
    let day = at.plain.prefix(11)
    let clauses = reasons.enumerated().map { place, link in
      let verb = place == 0 ? "gave" : place == 1 ? "moved it to" : "to"
      let time = link.at.plain
      let shown = time.hasPrefix(day) ? String(time.dropFirst(day.count).dropLast()) : time
      return "\(link.reason.subject) \(verb) \(shown)"
    }
    return "due at \(at.plain): \(clauses.joined(separator: ", "))"
  }
}

extension DueReason {
  /// The reason's name in JSON.
  package var word: String { code.rawValue }

  /// The subject of a clause such as "the learned schedule gave 10:12".
  fileprivate var subject: String {
    switch self {
    case .firstRun: "the rule for new jobs"
    case .interval: "its interval"
    case .cron: "its cron line"
    case .adaptive: "the learned schedule"
    case .hint(.ttl): "the feed's ttl"
    case .hint(.updatePeriod): "the feed's sy:updatePeriod"
    case .hint(.cacheLifetime): "the cache lifetime of the last answer"
    case .hint(.skipHours): "the feed's skipHours"
    case .hint(.skipDays): "the feed's skipDays"
    case .retryAfter: "the server's Retry-After"
    case .backOff: "its back-off"
    case .probe: "its weekly probe"
    case .runTimes: "the window of `between`"
    case .catchUp: "catch_up"
    case .resumed: "its resumption"
    case .sourceChanged: "the change of its plugin, options or grant"
    case .conditions: "its conditions"
    case .abandoned: "its abandoned run"
    case .cancelled: "its cancelled run"
    case .triggered(.manual): "a person"
    case .triggered(.push): "a push"
    case .triggered(.file): "a changed file"
    case .triggered(.network): "the network's return"
    }
  }
}
