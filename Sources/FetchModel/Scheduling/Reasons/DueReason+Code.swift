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

  /// A word that a later version wrote is taken for the interval's.
  init(code: String, failures: Int) {
    if let hint = SourceHint(rawValue: code) {
      self = .hint(hint)
      return
    }
    if let kind = TriggerKind(rawValue: code) {
      self = .triggered(kind)
      return
    }
    let simple: [DueReason] = [
      .firstRun, .interval, .cron, .adaptive, .retryAfter, .backOff(failures), .probe(failures),
      .runTimes, .catchUp, .resumed, .sourceChanged, .conditions, .abandoned, .cancelled,
    ]
    self = simple.first { $0.code.rawValue == code } ?? .interval
  }
}
