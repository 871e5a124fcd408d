import FetchHost
import FetchModel
import FetchSchedule
import FetchValues

/// The runs that a person requested from a daemon, until each has ended or will not begin.
struct RequestedRuns {
  let jobs: ScheduledJobs
  let loop: RunLoop
  let now: @Sendable () -> Timestamp

  private let clock = HostClock()

  /// The interval for which ends are collected: a client that waits for thousands of runs is not
  /// woken for each.
  private static let gathering: Duration = .milliseconds(20)

  /// A job that cannot start within this time is left for another time.
  static let patience: Duration = .seconds(60)

  /// Requests a run of each job, or only of the due ones, and reports the results. Returns after
  /// the last report, or early if the task is cancelled. Cancelling ends the wait, not the runs.
  func ask(
    _ names: [String], onlyDue: Bool, tell: @Sendable (RunAnswer) async -> Void
  ) async -> ControlEnd {
    guard let watch = loop.watch() else {
      return .failed("too many clients wait for runs; try again later, or pass --no-wait")
    }
    defer { loop.unwatch(watch) }
    for name in names {
      if onlyDue {
        watch.expect(name) { jobs.dueRun(name, now: now()) }
      } else if let refusal = ask(name, watch) {
        await tell(refusal)
      }
    }
    await tell(.awaited(watch.awaitedCount))
    loop.poke()
    await wait(watch, tell)
    return .done
  }

  /// Returns the reason why the job does not run; nil if its run is awaited.
  private func ask(_ name: String, _ watch: RunSubscription) -> RunAnswer? {
    var refusal: RunAnswer?
    watch.expect(name) {
      switch jobs.ask(name, now: now()) {
      case .success(let number): return number
      case .failure(let reason):
        refusal = .refused(job: name, why: reason.sentence)
        return nil
      }
    }
    return refusal
  }

  private func wait(_ watch: RunSubscription, _ tell: (RunAnswer) async -> Void) async {
    // The job that was last found able to begin is checked first.
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
      // The run of a removed job may have been reported since the events were taken.
      for event in watch.takeEvents() { await self.tell(event, tell) }
      for job in watch.look({ $0.keys.sorted() }) {
        await tell(.notRun(job: job.text, why: reason(job.text, isOver: isOver)))
      }
      return
    }
  }

  private func tell(_ event: RunSubscription.Event, _ tell: (RunAnswer) async -> Void) async {
    switch event {
    case .ended(let report):
      for line in report.logs { await tell(.log(job: report.record.job, line)) }
      await tell(.ended(report.record))
    case .notice(let notice):
      await tell(.notice(job: notice.job, sentence: notice.notice.sentence))
    }
  }

  /// Returns a run that has begun or may begin soon; nil if none is left.
  private func hope(
    _ runs: RunSubscription.Awaited, _ last: RunSubscription.Awaited.Element?
  ) -> RunSubscription.Awaited.Element? {
    let isDraining = loop.isDraining
    let now = now()
    return jobs.look { scheduler in
      func mayEnd(_ run: RunSubscription.Awaited.Element) -> Bool {
        // A run that has ended is reported a little later.
        guard let job = scheduler.number(of: run.key.text) else {
          return loop.isUnreported(run.key.text)
        }
        if scheduler.schedule(of: job).runCount >= run.value { return true }
        return !isDraining && scheduler.starts(job, within: Self.patience, now: now)
      }
      if let last, runs[last.key] == last.value, mayEnd(last) { return last }
      return runs.first(where: mayEnd)
    }
  }

  private func reason(_ name: String, isOver: Bool) -> String {
    if isOver || loop.isDraining { return RunLoop.stopping }
    let now = now()
    return jobs.look { scheduler in
      scheduler.number(of: name).map { scheduler.waitReason($0, now: now).sentence(now: now) }
        ?? "it is gone"
    }
  }
}
