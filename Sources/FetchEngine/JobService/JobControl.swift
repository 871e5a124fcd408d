import FetchHost
package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchValues

/// The answers to requests about the scheduled jobs. Other processes send these requests to the
/// daemon. If no daemon is running, some commands use `JobControl` to answer their own requests.
package struct JobControl: ControlHandler {
  let jobs: ScheduledJobs
  private let memory: ScheduleMemory?
  let now: @Sendable () -> Timestamp
  let loop: RunLoop?
  private let transfers: TransferCommands?
  private let deliveries: DeliveryCommands?
  let grants: GrantBook?
  let reader: (any ReadableStore)?
  let stale: StaleWatch?
  let runs: RunPipeline?
  let hooks: HookRegistry?
  let subscriptions: SubscriptionService?
  private let guests: GuestRuns?
  let pushes: @Sendable (JobName) -> PushSettings?
  let changes: ChangeWatchers?
  let metrics: DaemonMetrics?
  let startedAt: Timestamp?
  let clock: any Clock<Duration>
  private let reload: @Sendable () async -> ControlEnd
  let claimants: Claimants?

  /// A function that reads a job and its file again. Returns nil if the config has no job with the
  /// given name.
  package typealias Claimants = @Sendable (JobName) async throws -> GrantClaimant?

  /// - Parameters:
  ///   - memory: stores pauses; nil if jobs cannot be paused or resumed.
  ///   - loop: the loop that runs the jobs.
  ///   - transfers: carries out actions on transfers; nil if such requests are refused.
  ///   - deliveries: carries out actions on deliveries; nil if such requests are refused.
  ///   - grants: the grants of plugins; nil if they are unknown.
  ///   - reader: the store; nil if the answers contain nothing from the store.
  ///   - stale: counts the stale jobs, and is notified of each resumed job.
  ///   - runs: the pipeline of the runs, with the workers and the access to secrets.
  ///   - hooks: the hooks that receive the events of the jobs.
  ///   - pushes: returns the rules for pushes to a job; nil if the config has none.
  ///   - subscriptions: the subscriptions at hubs; nil if this process has none.
  ///   - guests: runs plugins outside the config; nil if requests for guests are refused.
  ///   - changes: notifies clients of changes; nil if this process has no changes to watch.
  ///   - startedAt: the start of the `JobService`, which the overview reports as the daemon's
  ///     start; nil without a `JobService`.
  ///   - clock: the clock for the pauses between notifications.
  ///   - metrics: the numbers for monitoring; nil if this process does not count them.
  ///   - claimants: reads a job of the config again; nil if this process does not read the config.
  ///   - reload: reads the config again.
  package init(
    jobs: ScheduledJobs, memory: ScheduleMemory? = nil, now: @escaping @Sendable () -> Timestamp,
    loop: RunLoop? = nil, transfers: TransferCommands? = nil,
    deliveries: DeliveryCommands? = nil, grants: GrantBook? = nil,
    reader: (any ReadableStore)? = nil, stale: StaleWatch? = nil, runs: RunPipeline? = nil,
    hooks: HookRegistry? = nil,
    pushes: @escaping @Sendable (JobName) -> PushSettings? = { _ in nil },
    subscriptions: SubscriptionService? = nil, guests: GuestRuns? = nil,
    changes: ChangeWatchers? = nil, metrics: DaemonMetrics? = nil,
    startedAt: Timestamp? = nil,
    clock: any Clock<Duration> = HostClock(), claimants: Claimants? = nil,
    reload: @escaping @Sendable () async -> ControlEnd = {
      .failed("this process cannot reload a config")
    }
  ) {
    self.jobs = jobs
    self.memory = memory
    self.now = now
    self.loop = loop
    self.transfers = transfers
    self.deliveries = deliveries
    self.grants = grants
    self.reader = reader
    self.stale = stale
    self.runs = runs
    self.hooks = hooks
    self.guests = guests
    self.pushes = pushes
    self.subscriptions = subscriptions
    self.claimants = claimants
    self.changes = changes
    self.metrics = metrics
    self.startedAt = startedAt
    self.clock = clock
    self.reload = reload
  }

  package func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    switch request {
    case .status(let job, let filter): return await status(job, filter, line)
    case .explain(let job):
      guard let lines = await explanation(of: job) else { return unknown(job) }
      for sentence in lines { await line(sentence.value) }
    case .budget:
      for row in jobs.look({ LedgerLine.all($0, now: now()) }) { await line(row.value) }
    case .overview: await line(overview().value)
    case .plan(let names, let hours):
      switch plan(names, hours: hours) {
      case .success(let runs): for run in runs { await line(run.value) }
      case .failure(let missing): return unknown(missing.name)
      }
    case .lanes: for lane in laneLines() { await line(lane.value) }
    case .doctor:
      guard let runs else { return .failed("this process has no workers") }
      for finding in await Diagnosis.machineFindings(runs.services.workers) {
        await line(finding.value)
      }
    case .metrics(let series): return await metrics(series, line)
    case .watch: return await watch(line)
    case .subscriptions:
      for subscription in subscriptions?.all ?? [] { await line(subscription.line) }
    case .renew(let ids): return await renew(ids, line)
    case .subscription(let id, let message): return await take(message, of: id, line)
    case .pushRule(let job): return await pushRule(of: job, line)
    case .push(let names): return await trigger(names, .push, skipsInterval: true, line)
    case .run(let selection, let skipsInterval, let waits):
      return await run(selection, skipsInterval: skipsInterval, waits: waits, line)
    case .guest(let request):
      guard let guests, let loop else {
        return .failed("this process cannot run plugins outside the config")
      }
      return await guests.answer(request, loop) { await line($0.value) }
    case .pause(let selection): return await setPaused(true, selection, line)
    case .resume(let selection): return await setPaused(false, selection, line)
    case .reload:
      let end = await reload()
      for problem in end.problems { await line((try? JSONReader.decode(problem)) ?? .null) }
      return end
    case .grant(let holder, let grant, let manifestName):
      return await keep(grant, of: holder, manifestName, line)
    case .permissions(let job): return await permissions(of: job, line)
    case .agree(let job, let hash): return await agree(job, hash, line)
    case .transfers(let deed, let ids):
      guard let transfers else { return .failed("this process cannot change the store") }
      return await transfers.answer(deed, ids, line: line)
    case .deliveries(let deed, let ids):
      guard let deliveries else { return .failed("this process cannot change the store") }
      return await deliveries.answer(deed, ids, line: line)
    }
    return .done
  }

  private var allNames: [JobName] {
    jobs.look { scheduler in scheduler.numbers.map { scheduler[$0].name } }
  }

  private func names(_ selection: JobSelection) -> [JobName] {
    switch selection {
    case .all:
      jobs.look { scheduler in
        scheduler.numbers.map { scheduler[$0] }.filter(\.isEnabled).map(\.name)
      }
    case .named(let names): names
    }
  }

  func unknown(_ name: JobName) -> ControlEnd { .unknownJob(name, among: allNames) }

  /// The maximum number of jobs whose status is read in one call of `withState`, which locks the
  /// scheduler.
  private static let jobsPerLook = 200

  private func status(
    _ job: JobName?, _ filter: StatusFilter, _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    var left = numbers(job, filter)[...]
    if let job, left.isEmpty {
      guard await isStored(job) else { return unknown(job) }
      return .failed(
        "the job '\(job)' is not in the config; `fetchrun explain \(ShellWord.quoted(job.text))` says"
          + " what the store has of it", code: .unknownJob)
    }
    while !left.isEmpty {
      let part = left.prefix(Self.jobsPerLook)
      left = left.dropFirst(Self.jobsPerLook)
      let lines = jobs.withState { state in
        let now = now()
        return part.compactMap { number -> (StatusLine, lastRun: LastRun)? in
          guard state.scheduler.holds(number) else { return nil }
          let line = StatusLine(number, in: state.scheduler, now: now)
          let lastRun = LastRun(
            line, state.scheduler.schedule(of: number),
            isListed: state.scheduler[number].isListed, state.jobs[number])
          return (line.standing(state.jobs[number]), lastRun)
        }
      }
      for (row, lastRun) in lines {
        let job = JobName(row.job)
        var row = row.adding(await waiting(job), now: now())
        row.isHeld = await isHeld(job, hasFailed: row.failures > 0)
        if let reader { row = await reader.adding(lastRun, to: row) }
        await line(row.value)
      }
    }
    return .done
  }

  private func numbers(_ job: JobName?, _ filter: StatusFilter) -> [JobNumber] {
    if let job { return jobs.look { $0.number(of: job).map { [$0] } ?? [] } }
    if filter.selectsAll { return jobs.look(\.numbers) }
    let now = now()
    let pattern = filter.match.map(NamePattern.containing)
    return jobs.numbers(after: filter.after.map { JobName($0) }, max: filter.limit ?? .max) {
      state, number in
      if filter.isFailing, !state.scheduler.isFailing(number) { return false }
      if let pattern, !pattern.matches(state.scheduler.name(of: number).text) { return false }
      return filter.states.isEmpty
        || filter.states.contains(JobState(state.scheduler.waitReason(number, now: now)))
    }
  }

  /// Returns the reason why the job's run waits; nil if this process has no run of the job, or if
  /// the run does not wait.
  func waiting(_ job: JobName) async -> WaitLine? {
    guard let runs, let (wait, since) = runs.wait(of: job) else { return nil }
    var line = WaitLine(wait, since: since)
    if wait == .worker, let (busyCount, countMax) = await runs.services.workers.fullness() {
      (line.busyCount, line.workersMax) = (busyCount, countMax)
    }
    if case .lane(let hostname) = wait {
      line.closedUntil = jobs.closedUntil(hostname, now: now())
    }
    return line
  }

  /// Whether the job's plugin file may not run. A process without runs has noted no refusals.
  /// Therefore, it compares the file of each failing job with the stored grant.
  private func isHeld(_ name: JobName, hasFailed: Bool) async -> Bool {
    guard let grants else { return false }
    if runs != nil || !hasFailed { return grants.isHeld(name) }
    guard let job = jobs.job(named: name) else { return false }
    return await grants.sentence(of: job, now: now()) != nil
  }

  func keep(
    _ grant: PinnedGrant, of holder: GrantHolder, _ manifestName: PluginName,
    _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard let grants else { return .failed("this process cannot change the store") }
    do throws(StoreError) {
      var isDue = false
      switch holder {
      case .job(let job):
        let hasWaited = try await grants.keep(
          grant, of: job, manifestName: manifestName, scheduled: { jobs.job(named: job) },
          now: now())
        isDue = hasWaited && jobs.hasFailed(job) && jobs.trigger(job, .manual, now: now()) == .due
      case .hook(let hook):
        try await grants.keep(grant, ofHook: hook)
        try await deliveries?.release(hook)
      }
      await line(GrantLine(holder, hash: grant.hash, isDue: isDue).value)
    } catch {
      return .failed(error.message)
    }
    transfers?.standingsChanged()
    loop?.poke()
    return .done
  }

  private func run(
    _ selection: JobSelection, skipsInterval: Bool, waits: Bool,
    _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    let names = names(selection)
    guard waits, let loop else {
      return await trigger(names, .manual, skipsInterval: skipsInterval, line)
    }
    // If one job is unknown, no job is run, as in a command without a daemon.
    if let missing = missing(in: names) { return unknown(missing) }
    return await RequestedRuns(jobs: jobs, loop: loop, now: now)
      .ask(names, onlyDue: !skipsInterval, areNamed: selection != .all) { await line($0.value) }
  }

  private func trigger(
    _ names: [JobName], _ kind: TriggerKind, skipsInterval: Bool,
    _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    if loop?.isDraining == true { return .failed(RunLoop.stopping) }
    if let missing = missing(in: names) { return unchanged(unknown(missing), names.count) }
    var end = ControlEnd.done
    for name in names {
      let now = now()
      // A reload may have removed the job since the check.
      guard let answer = jobs.trigger(name, kind, skipsInterval: skipsInterval, now: now) else {
        end = unknown(name)
        continue
      }
      await line(TriggerLine(job: name.text, answer, now: now).value)
    }
    loop?.poke()
    return end
  }

  /// Returns the first name that is not the name of a job.
  private func missing(in names: [JobName]) -> JobName? {
    jobs.look { scheduler in names.first { scheduler.number(of: $0) == nil } }
  }

  /// Returns the failure of a request that names `count` jobs, one of which is wrong. The message
  /// says that the request changed none of the jobs.
  private func unchanged(_ failure: ControlEnd, _ count: Int) -> ControlEnd {
    var failure = failure
    if count > 1 { failure.message?.append("; no job was changed") }
    return failure
  }

  /// Returns the failure for the first name whose job is missing or cannot be paused or resumed;
  /// nil if there is none.
  private func refusal(ofPausing names: [JobName]) -> ControlEnd? {
    if let missing = missing(in: names) {
      var failure = unknown(missing)
      if (try? Duration(parsing: missing.text)) != nil {
        failure.message?.append(": a pause has no duration, it lasts until `fetchrun resume`")
      }
      return failure
    }
    // The pause of a disabled job with errors cannot be stored.
    guard let name = names.first(where: { jobs.isUnready($0) }) else { return nil }
    return .failed(
      "cannot pause or resume '\(name)': the job is disabled and has errors; `fetchrun check`"
        + " shows them")
  }

  private func setPaused(
    _ isPaused: Bool, _ selection: JobSelection, _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard let memory else { return .failed("this process cannot change the store") }
    let names: [JobName?] =
      switch selection {
      case .all: [nil]
      case .named(let names): names
      }
    if let refusal = refusal(ofPausing: names.compactMap { $0 }) {
      return unchanged(refusal, names.count)
    }
    var end = ControlEnd.done
    for name in names {
      let changed =
        isPaused ? jobs.pause(name, now: now()) : jobs.resume(name, now: now())
      // A reload may have removed the job since the check.
      guard let changed else {
        end = unknown(name ?? .unnamed)
        continue
      }
      if !isPaused { stale?.resumed(name) }
      await line(PauseLine(job: name?.text, isPaused: isPaused, isChanged: changed).value)
    }
    await memory.keepPause(of: jobs)
    transfers?.standingsChanged()
    loop?.poke()
    return end
  }
}
