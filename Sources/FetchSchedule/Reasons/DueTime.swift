package import FetchModel
package import FetchValues

/// A job's due time with the reasons that set or moved it.
package struct DueTime: Hashable, Sendable {
  /// A time to which the due time was set or moved, and the reason for this change.
  package struct Link: Hashable, Sendable {
    package var at: Timestamp
    package var reason: DueReason

    package init(at: Timestamp, reason: DueReason) {
      self.at = at
      self.reason = reason
    }
  }

  /// The maximum number of reasons for one due time. If there are more reasons, the second oldest
  /// reason is dropped.
  package static let reasonsMax = 5

  package let at: Timestamp
  /// The reasons in the order in which they moved the due time. There are 1 to `reasonsMax`
  /// reasons. The last reason led to `at`.
  package let reasons: [Link]

  init(at: Timestamp, reason: DueReason, after earlier: [Link]) {
    self.at = at
    reasons = earlier + [Link(at: at, reason: reason)]
  }

  /// The sentence about the reasons that moved the due time; nil if nothing moved it. The time of a
  /// reason includes its date unless it is on the day of the due time.
  ///
  /// `due at …: the learned schedule gave 10:12:00, the feed's ttl moved it to 10:30:00, its run
  /// times to 10:42:00`
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
  package var word: String {
    if case .learned = self { return Code.adaptive.rawValue }
    return code.rawValue
  }

  /// The subject of a clause such as "the learned schedule gave 10:12".
  fileprivate var subject: String {
    switch self {
    case .firstRun: "the rule for new jobs"
    case .interval: "its interval"
    case .cron: "its cron line"
    case .adaptive, .learned: "the learned schedule"
    case .hint(.ttl): "the feed's ttl"
    case .hint(.updatePeriod): "the feed's sy:updatePeriod"
    case .hint(.cacheLifetime): "the cache lifetime of the last answer"
    case .hint(.skipHours): "the feed's skipHours"
    case .hint(.skipDays): "the feed's skipDays"
    case .hint(.hub): "`push.poll`"
    case .retryAfter: "Retry-After or a postponed request"
    case .backOff: "its back-off"
    case .probe: "its weekly probe"
    case .runTimes: "its run times"
    case .catchUp: "catch_up"
    case .resumed: "its resumption"
    case .sourceChanged: "the change of its plugin, options, secrets or grant"
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

/// The reason for a job's due time.
package enum DueReason: Hashable, Sendable {
  /// The job has never run.
  case firstRun
  /// The job's fixed interval set the time.
  case interval
  case cron
  /// The learned schedule chose the time.
  case adaptive
  /// A bound of the learned schedule determined the time instead of the schedule's plan.
  case learned(AdaptiveBound)
  /// A hint of the source made the time later.
  case hint(SourceHint)
  /// A Retry-After of the server, or the postponement of a request, set the time.
  case retryAfter
  /// The back-off after the given number of consecutive failures ends.
  case backOff(Int)
  /// The time of the weekly probe of a job with the given number of consecutive failures.
  case probe(Int)
  /// The job's run times begin at this time.
  case runTimes
  /// The due time was missed, for example while no fetchrun process was running. The job runs after
  /// a random delay, so that the runs for missed times are spread out.
  case catchUp
  case resumed
  /// A change of the plugin, options, grant or secrets may have removed the cause of the job's
  /// failure or of a 410 Gone. This is also the reason why a job whose plugin cannot be loaded is
  /// due now, unless the previous reason was `firstRun`.
  case sourceChanged
  /// The job waits or waited for a condition, such as the network.
  case conditions
  /// The process of the job's last run ended before the run did.
  case abandoned
  /// The job's last run was cancelled.
  case cancelled
  case triggered(TriggerKind)

  /// The trigger that is stored in the run's record.
  package var trigger: RunTrigger {
    switch self {
    case .triggered(let kind): kind.trigger
    case .backOff, .probe, .abandoned: .retry
    default: .schedule
    }
  }

  /// The words that follow "due at 10:00" in a sentence.
  package var phrase: String {
    switch self {
    case .firstRun: "for its first run"
    case .interval: "by its interval"
    case .cron: "by its cron line"
    case .adaptive: "by its learned schedule"
    case .learned(let bound): "by its learned schedule, \(bound.phrase)"
    case .hint(let hint): "because \(hint.phrase)"
    case .retryAfter: "because of Retry-After or a postponed request"
    case .backOff(let count): "to retry after \(counted(count, "failure")) in a row"
    case .probe(let count): "for the weekly probe after \(counted(count, "failure")) in a row"
    case .runTimes: "at the start of its run times"
    case .catchUp: "to catch up on a missed run, after a random delay"
    case .resumed: "because it was resumed"
    case .sourceChanged:
      "because its plugin, options, secrets or grant have changed since its last run"
    case .conditions: "after a wait for a condition such as the network"
    case .abandoned: "because its last run was abandoned"
    case .cancelled: "because its last run was cancelled"
    case .triggered(let kind): "because \(kind.phrase)"
    }
  }
}

extension DueReason {
  enum Code: String, CaseIterable {
    case firstRun, interval, cron, adaptive, retryAfter, backOff, probe, runTimes, catchUp, resumed
    case sourceChanged, conditions, abandoned, cancelled
    case intervalMin, intervalMax, window
    case ttl, updatePeriod, cacheLifetime, skipHours, skipDays, hub
    case manual, push, file, network
  }

  var code: Code {
    switch self {
    case .firstRun: .firstRun
    case .interval: .interval
    case .cron: .cron
    case .adaptive: .adaptive
    case .learned(let bound): Code(rawValue: bound.rawValue) ?? .adaptive
    case .hint(let hint): Code(rawValue: hint.rawValue) ?? .interval
    case .retryAfter: .retryAfter
    case .backOff: .backOff
    case .probe: .probe
    case .runTimes: .runTimes
    case .catchUp: .catchUp
    case .resumed: .resumed
    case .sourceChanged: .sourceChanged
    case .conditions: .conditions
    case .abandoned: .abandoned
    case .cancelled: .cancelled
    case .triggered(let kind): Code(rawValue: kind.rawValue) ?? .manual
    }
  }

  var failures: Int {
    switch self {
    case .backOff(let count), .probe(let count): count
    default: 0
    }
  }

  init(_ code: Code, failures: Int) {
    switch code {
    case .firstRun: self = .firstRun
    case .interval: self = .interval
    case .cron: self = .cron
    case .adaptive: self = .adaptive
    case .intervalMin, .intervalMax, .window:
      self = AdaptiveBound(rawValue: code.rawValue).map { .learned($0) } ?? .adaptive
    case .retryAfter: self = .retryAfter
    case .backOff: self = .backOff(failures)
    case .probe: self = .probe(failures)
    case .runTimes: self = .runTimes
    case .catchUp: self = .catchUp
    case .resumed: self = .resumed
    case .sourceChanged: self = .sourceChanged
    case .conditions: self = .conditions
    case .abandoned: self = .abandoned
    case .cancelled: self = .cancelled
    case .ttl, .updatePeriod, .cacheLifetime, .skipHours, .skipDays, .hub:
      self = SourceHint(rawValue: code.rawValue).map { .hint($0) } ?? .interval
    case .manual, .push, .file, .network:
      self = .triggered(TriggerKind(rawValue: code.rawValue) ?? .manual)
    }
  }

  /// Creates the reason from its stored code. An unknown code, for example of a later version, is
  /// read as `interval`.
  init(code: String, failures: Int) {
    self.init(Code(rawValue: code) ?? .interval, failures: failures)
  }
}

/// A bound of the learned schedule that set a due time.
package enum AdaptiveBound: String, Hashable, Sendable, CaseIterable {
  /// The minimum and the maximum interval of an adaptive job.
  case intervalMin, intervalMax
  /// The feed shows only its newest items, and some items could leave the feed before a later run.
  case window

  /// The words that follow "by its learned schedule," in a sentence.
  fileprivate var phrase: String {
    switch self {
    case .intervalMin: "at the shortest interval that it may choose"
    case .intervalMax: "at the longest interval that it may choose"
    case .window: "before new items can push unread ones out of the feed"
    }
  }
}

/// The kind of hint that moved a due time.
package enum SourceHint: String, Hashable, Sendable, CaseIterable {
  case ttl
  case updatePeriod
  case cacheLifetime
  case skipHours
  case skipDays
  /// The key `push.poll`: the source's hub pushes updates, so fetchrun polls the source less often.
  case hub

  /// The words that follow "due at 10:00 because" in a sentence.
  var phrase: String {
    switch self {
    case .ttl: "of the feed's ttl"
    case .updatePeriod: "of the feed's sy:updatePeriod"
    case .cacheLifetime: "caches may keep the last answer until then"
    case .skipHours: "the feed's skipHours exclude the hours until then"
    case .skipDays: "the feed's skipDays exclude the days until then"
    case .hub: "its hub pushes its updates, and `push.poll` allows no earlier poll"
    }
  }
}

/// The kind of request or event that triggers a run outside the schedule.
package enum TriggerKind: String, Hashable, Sendable, CaseIterable {
  case manual
  case push
  /// A file or folder that the job watches has changed.
  case file
  /// The machine has a network again.
  case network

  /// The minimum time between the due times of two runs of one job if pushes cause both runs.
  package static let pushGap: Duration = .seconds(60)

  package var trigger: RunTrigger {
    switch self {
    case .manual: .manual
    case .push: .push
    case .file, .network: .event
    }
  }

  var phrase: String {
    switch self {
    case .manual: "a run was requested"
    case .push: "it was pushed"
    case .file: "a watched file or folder changed"
    case .network: "the network came up"
    }
  }
}
