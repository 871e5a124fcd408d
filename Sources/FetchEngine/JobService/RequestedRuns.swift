import FetchHost
import FetchModel
import FetchSchedule
import FetchValues

/// A requester of runs for a client of a daemon. It waits until each run has ended or cannot begin
/// soon.
struct RequestedRuns {
  let jobs: ScheduledJobs
  let loop: RunLoop
  let now: @Sendable () -> Timestamp

  private let clock = HostClock()

  /// The interval at which the ends of runs are collected. Without it, a client that waits for
  /// thousands of runs would be woken for each end.
  private static let gathering: Duration = .milliseconds(20)

  /// The maximum delay of an awaited run. The wait ends when no awaited run is under way or can
  /// start within this time: see `Scheduler.starts`.
  static let patience: Duration = .seconds(60)

  /// Requests a run of each job, and reports the results. If `onlyDue` is true, requests no runs
  /// and waits only for runs that are due or under way. If the client has named the jobs
  /// (`areNamed`), the paused ones are then reported as refused, and the others as not due.
  ///
  /// Returns after the last report, or earlier if the task is cancelled. Cancelling ends the wait,
  /// but not the runs. Returns a failure at once if too many clients wait for runs.
  func ask(
    _ names: [JobName], onlyDue: Bool, areNamed: Bool = false,
    tell: @Sendable (RunAnswer) async -> Void
  ) async -> ControlEnd {
    guard let watch = loop.watch() else {
      return .failed(
        "too many clients wait for runs; try again later", code: .tooManyClients)
    }
    defer { loop.unwatch(watch) }
    for name in names {
      let refusal = onlyDue ? expectDue(name, watch) : ask(name, watch)
      if let refusal, areNamed || !onlyDue { await tell(refusal) }
    }
    await tell(.awaited(watch.awaitedCount))
    loop.poke()
    await wait(watch, tell)
    return .done
  }

  /// Awaits the job's run if the run is due or under way. Otherwise returns the reason why it is
  /// not due, for example a pause.
  private func expectDue(_ name: JobName, _ watch: RunSubscription) -> RunAnswer? {
    var isExpected = false
    watch.expect(name) {
      let number = jobs.dueRun(name, now: now())
      isExpected = number != nil
      return number
    }
    if isExpected { return nil }
    let time = now()
    if let why = jobs.pauseSentence(name, now: time) { return .refused(job: name.text, why: why) }
    return jobs.notDueSentence(name, now: time).map { .notDue(job: name.text, why: $0) }
  }

  /// Requests a run of the job. Returns the reason why the job does not run; nil if the run will be
  /// awaited.
  private func ask(_ name: JobName, _ watch: RunSubscription) -> RunAnswer? {
    var refusal: RunAnswer?
    watch.expect(name) {
      switch jobs.ask(name, now: now()) {
      case .success(let number): return number
      case .failure(let reason):
        refusal = .refused(job: name.text, why: reason.sentence)
        return nil
      }
    }
    return refusal
  }

  private func wait(_ watch: RunSubscription, _ tell: (RunAnswer) async -> Void) async {
    // `hopeful` is the awaited run that the last check found. The next check looks at it first.
    var hopeful: RunSubscription.Awaited.Element?
    for await _ in watch.turns {
      let isOver = watch.isOver
      let events = watch.takeEvents()
      for event in events { await self.tell(event, tell) }
      if watch.awaitedCount == 0 {
        for event in watch.takeEvents() { await self.tell(event, tell) }
        return
      }
      hopeful = isOver ? nil : watch.look { hope($0, hopeful) }
      if hopeful != nil {
        if !events.isEmpty { try? await clock.sleep(for: Self.gathering) }
        continue
      }
      // The end of a removed job's run may have been reported since the events were taken.
      for event in watch.takeEvents() { await self.tell(event, tell) }
      for job in watch.look({ $0.keys.sorted() }) {
        await tell(.notRun(job: job.text, why: reason(job, isOver: isOver)))
      }
      return
    }
  }

  private func tell(_ event: RunSubscription.Event, _ tell: (RunAnswer) async -> Void) async {
    switch event {
    case .ended(let report):
      for line in report.logs { await tell(.log(job: report.record.job.text, line)) }
      await tell(.ended(report.record))
    case .notice(let notice):
      await tell(.notice(job: notice.job.text, sentence: notice.notice.sentence))
    }
  }

  /// Returns an awaited run that has begun, may begin soon, or has an end that is not reported yet.
  /// Returns nil if there is no such run.
  private func hope(
    _ runs: RunSubscription.Awaited, _ last: RunSubscription.Awaited.Element?
  ) -> RunSubscription.Awaited.Element? {
    let isDraining = loop.isDraining
    let now = now()
    return jobs.look { scheduler in
      func mayEnd(_ run: RunSubscription.Awaited.Element) -> Bool {
        // The job was removed, but the end of its run may not have been reported yet.
        guard let job = scheduler.number(of: run.key) else {
          return loop.isUnreported(run.key)
        }
        if scheduler.schedule(of: job).runCount >= run.value { return true }
        return !isDraining && scheduler.starts(job, within: Self.patience, now: now)
      }
      if let last, runs[last.key] == last.value, mayEnd(last) { return last }
      return runs.first(where: mayEnd)
    }
  }

  private func reason(_ name: JobName, isOver: Bool) -> String {
    if isOver || loop.isDraining { return RunLoop.stopping }
    let now = now()
    return jobs.look { scheduler in
      scheduler.number(of: name).map { scheduler.waitReason($0, now: now).sentence(now: now) }
        ?? "the job was removed"
    }
  }
}
