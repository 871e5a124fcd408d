extension DueReason {
  enum Code: String, CaseIterable {
    case firstRun, interval, cron, adaptive, retryAfter, backOff, probe, runTimes, catchUp, resumed
    case sourceChanged, conditions, abandoned, cancelled
    case ttl, updatePeriod, cacheLifetime, skipHours, skipDays
    case manual, push, file, network
  }

  var code: Code {
    switch self {
    case .firstRun: .firstRun
    case .interval: .interval
    case .cron: .cron
    case .adaptive: .adaptive
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
    case .ttl, .updatePeriod, .cacheLifetime, .skipHours, .skipDays:
      self = SourceHint(rawValue: code.rawValue).map { .hint($0) } ?? .interval
    case .manual, .push, .file, .network:
      self = .triggered(TriggerKind(rawValue: code.rawValue) ?? .manual)
    }
  }

  /// A word that a later version wrote is taken for the interval's.
  init(code: String, failures: Int) {
    self.init(Code(rawValue: code) ?? .interval, failures: failures)
  }
}
