package import FetchModel
package import FetchValues

/// The facts about a finished run that the scheduler needs.
package struct RunSummary: Hashable, Sendable {
  package var ending: RunEnding
  package var cost: RunCost
  /// The latest time that a Retry-After from the job's hostname gave; nil if there was none.
  package var retryAfter: Timestamp?
  /// The latest time until which a request of a failed run was postponed; nil if the run succeeded
  /// or no request was postponed.
  package var notBefore: Timestamp?
  /// The HTTP status of a failed run's last answer; nil if there is none, or if it says nothing
  /// about the job's source.
  package var httpStatus: Int?
  /// The identity of the source that answered 410 Gone; empty for any other answer, or if the
  /// source is unknown. Different sources have different bytes.
  package var source: [UInt8] = []
  package var hints = SourceHints()

  package init(_ ending: RunEnding, cost: RunCost = RunCost(requests: 1)) {
    self.ending = ending
    self.cost = cost
  }

  package init(_ record: RunRecord) {
    self.init(RunEnding(record.outcome), cost: RunCost(record))
  }

  package var isSuccess: Bool { ending == .newData || ending == .noData }
}

/// The ways in which a run can end, as far as they affect the job's next due time.
package enum RunEnding: Hashable, Sendable {
  case newData
  case noData
  case failed(FailureCode)

  package init(_ outcome: Outcome) {
    switch outcome {
    case .newData: self = .newData
    case .noData: self = .noData
    case .failed(let failure): self = .failed(failure.code)
    }
  }

  /// Whether the run failed because no complete answer arrived. The cause may be the machine
  /// instead of the source.
  var isWithoutAnswer: Bool {
    switch self {
    case .failed(.offline), .failed(.nameResolution), .failed(.connection), .failed(.httpTimeout):
      true
    default: false
    }
  }
}

/// The next due time that the learned schedule chose for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// The hint that moved the due time; nil if no hint moved it.
  package var hint: SourceHint?
  /// The due time before the hint moved it. Nil if no hint moved it, or if only the publication
  /// rate gave the due time.
  package var chosenAt: Timestamp?
  /// The bound that determined the due time, or `chosenAt` if a hint moved the due time. Nil if no
  /// bound did, or if only the publication rate gave the due time.
  package var bound: AdaptiveBound?
  /// The new encoded state of the learned schedule, for `JobSchedule.adaptive`.
  package var state: [UInt8]

  package init(
    dueAt: Timestamp, hint: SourceHint? = nil, chosenAt: Timestamp? = nil,
    bound: AdaptiveBound? = nil, state: [UInt8] = []
  ) {
    self.dueAt = dueAt
    self.bound = bound
    self.hint = hint
    self.chosenAt = chosenAt
    self.state = state
  }
}

/// The scheduler's decision about a job after a run: the job's next due time and the notices for a
/// person.
package struct RunVerdict: Hashable, Sendable {
  /// The next due time; nil if the job has none or is disabled.
  package var dueAt: Timestamp?
  package var dueReason: DueReason
  package var notices: [Notice] = []

  package init(dueAt: Timestamp?, dueReason: DueReason) {
    self.dueAt = dueAt
    self.dueReason = dueReason
  }
}

/// The hints of a source, and `push.poll` of the config, about when to fetch the source again.
/// These hints only make a job's wait longer, until at most a day after the last answer.
package struct SourceHints: Hashable, Sendable {
  /// The hints of the source's feeds, from this run or earlier runs.
  package var feed = FeedHints()
  /// The shortest remaining cache lifetime of the run's answers, from `Cache-Control: max-age` or
  /// `Expires`; nil if no answer has a cache lifetime.
  package var cacheLifetime: Duration?
  /// The interval from the config at which the source is polled while pushes report some of its
  /// news in time. Nil if there is no such interval, or if pushes report none in time.
  package var pollWithPushes: Duration?

  package init() {}

  package static let delayMax: Duration = .seconds(86_400)
  /// The longest cache lifetime that is respected. Some servers send 16 years. NetNewsWire has the
  /// same limit.
  package static let cacheLifetimeMax: Duration = .seconds(5 * 3600)
  /// The maximum number of items that may be expected within a ttl or an update period. At most one
  /// day of the ttl or period counts. If more items are expected, the hint is ignored.
  private static let believedItemsMax = 0.3

  /// Returns the hints that are believed for a source with the given rate of items. A ttl or an
  /// update period is ignored if too many items are expected within it: see `believedItemsMax`.
  /// Such a hint is probably a forgotten setting.
  package func believed(itemsPerSecond: Double) -> SourceHints {
    func isBelieved(_ delay: Duration?) -> Bool {
      guard let delay else { return true }
      let seconds = min(delay, Self.delayMax).components.seconds
      return Double(seconds) * itemsPerSecond <= Self.believedItemsMax
    }
    var believed = self
    if !isBelieved(feed.ttl) { believed.feed.ttl = nil }
    if !isBelieved(feed.updatePeriod) { believed.feed.setUpdates(every: nil) }
    return believed
  }

  /// Returns `planned`, or the later time to which the hints move it. Also returns the last hint
  /// that moved the time; nil if none did. A hint moves the time at most to a day after the last
  /// answer.
  package func later(
    than planned: Timestamp, answeredAt: Timestamp
  ) -> (at: Timestamp, hint: SourceHint?) {
    let latest = max(planned, answeredAt + Self.delayMax)
    let cache = cacheLifetime.map { min($0, Self.cacheLifetimeMax) }
    var at = planned
    var ruling: SourceHint?
    func consider(_ time: Timestamp?, _ hint: SourceHint) {
      guard let time, min(time, latest) > at else { return }
      (at, ruling) = (min(time, latest), hint)
    }
    consider(feed.ttl.map { answeredAt + $0 }, .ttl)
    consider(feed.nextUpdate(after: answeredAt), .updatePeriod)
    consider(cache.map { answeredAt + $0 }, .cacheLifetime)
    consider(pollWithPushes.map { answeredAt + $0 }, .hub)
    if let closed = closure(at: at, until: latest) { (at, ruling) = closed }
    return (at, ruling)
  }

  /// Returns the end of the skipped hours and days that contain `time`, at most `latest`. Returns
  /// nil if the feed does not skip `time`, or if the result would not be later than `time`.
  private func closure(
    at time: Timestamp, until latest: Timestamp
  ) -> (at: Timestamp, hint: SourceHint)? {
    guard feed.skipHours != 0 || feed.skipDays != 0 else { return nil }
    var hour = time.seconds.floorDivided(by: 3600)
    var ruling: SourceHint?
    while let skipping = feed.skipping(hour: hour), hour * 3600 < latest.seconds {
      ruling = skipping
      hour += 1
    }
    let end = min(Timestamp(seconds: hour * 3600), latest)
    guard let ruling, end > time else { return nil }
    return (end, ruling)
  }
}

extension FeedHints {
  /// Returns the hint that excludes an hour; nil if no hint does. The hour is the number of hours
  /// since 1970.
  fileprivate func skipping(hour: Int64) -> SourceHint? {
    let day = hour.floorDivided(by: 24)
    if skipDays >> UInt8(CivilDate(daysSinceEpoch: day).weekday) & 1 == 1 { return .skipDays }
    return skipHours >> UInt32(hour - day * 24) & 1 == 1 ? .skipHours : nil
  }
}

/// A run that the caller must start now.
package struct RunStart: Hashable, Sendable {
  package var job: JobNumber
  package var name: JobName
  /// The number of the run among the runs of its job, counted from 1.
  package var number: Int64
  package var trigger: RunTrigger
  package var reason: DueReason
  /// The run's due time.
  package var dueAt: Timestamp
  /// The cost that is reserved in the budget for the run.
  package var reserved: RunCost
}

/// The result of a trigger.
package enum TriggerAnswer: Hashable, Sendable {
  /// The job is due now. It may still wait, for example for its lane or the budget.
  case due
  case waits(WaitReason)
  case skipped(SkipReason)
}

/// A due time or trigger that starts no run of its own.
package struct Skip: Hashable, Sendable {
  package var job: JobNumber
  package var at: Timestamp
  package var reason: SkipReason

  package init(job: JobNumber, at: Timestamp, reason: SkipReason) {
    self.job = job
    self.at = at
    self.reason = reason
  }
}

/// An event of a job that is reported to a person once.
package enum Notice: Hashable, Sendable {
  /// The source answered 410 Gone, so the job is paused.
  case gone
  /// The job no longer fetches the source that answered 410 Gone, so the job is resumed.
  case sourceChanged
  /// The job has failed the given number of times in a row, and counts as broken.
  case broken(failures: Int)
  /// The job succeeded again after the given number of failures, so the job no longer counts as
  /// broken.
  case healed(failures: Int)
  /// The job has failed for weeks. From now on, it is retried once a week.
  case longDead(since: Timestamp)

  package var sentence: String {
    switch self {
    case .gone:
      "the source answered 410 Gone, so the job is paused: change the source's address to resume "
        + "the job, or remove the job"
    case .sourceChanged:
      "the job's options or plugin have changed since the source answered 410 Gone, so the job is "
        + "resumed"
    case .broken(let failures): "it failed \(failures) times in a row"
    case .healed(let failures): "it works again after \(counted(failures, "failure"))"
    case .longDead(let since):
      "it has failed since \(since.plain): from now on it is tried once a week"
    }
  }
}
