import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// The answers to requests about the daemon as a whole, or about several jobs.
extension JobControl {
  func overview() async -> OverviewLine {
    let now = now()
    var line = OverviewLine(isServed: startedAt != nil)
    let held = grants?.heldJobs ?? []
    jobs.withState { state in line.count(state.scheduler, held: held, now: now) }
    line.startedAt = startedAt
    line.stale = stale?.counts ?? StaleCounts()
    if let counts = try? await reader?.deliveryCounts() {
      (line.pendingDeliveries, line.deadDeliveries) = counts
    }
    return line
  }

  func laneLines() -> [LaneLine] {
    let now = now()
    return jobs.look { scheduler in
      scheduler.laneStates(now: now).prefix(LaneLine.linesMax).map(LaneLine.init)
    }
  }

  /// Returns the expected runs of the jobs. Each job gets an equal share of the maximum number of
  /// lines. If a job does not exist, the result is a failure with the job's name.
  func plan(_ names: [JobName], hours: Int) -> Result<[PlanLine], UnknownJob> {
    jobs.withState { state in
      let now = now()
      let end = now + .seconds(Int64(hours) * 3600)
      let share = max(1, PlanLine.linesMax / max(1, names.count))
      var lines: [PlanLine] = []
      for name in names {
        guard let number = state.scheduler.number(of: name) else {
          return .failure(UnknownJob(name: name))
        }
        let pace = state.learned.pace(state.scheduler, number, now: now)
        lines += state.scheduler
          .expectedRuns(of: number, until: end, pace: pace, max: share, now: now)
          .map { PlanLine(job: name.text, $0) }
      }
      return .success(lines)
    }
  }

  struct UnknownJob: Error {
    var name: JobName
  }

  /// Notifies a client of changes until the client disconnects or the daemon stops.
  func watch(_ line: @Sendable (Value) async -> Void) async -> ControlEnd {
    guard let changes, let reader else {
      return .failed("this process reports no changes; only a daemon does")
    }
    guard let watch = changes.watch() else {
      return .failed(
        "too many clients watch the daemon (at most \(ChangeWatchers.watchesMax)); try again later",
        code: .tooManyClients)
    }
    defer { changes.unwatch(watch) }
    var last: WatchLine?
    for await _ in watch.changes {
      // The last ended run is read before the last change. A run's changes are stored no later than
      // its end, so the line includes them.
      guard let ended = try? await reader.lastEnded(),
        let items = try? await reader.lastSequence()
      else { continue }
      let new = WatchLine(items: items, ended: ended, states: changes.stateChanges)
      if new != last { await line(new.value) }
      last = new
      guard (try? await clock.sleep(for: Self.watchPeriod)) != nil else { break }
    }
    return .done
  }

  /// The minimum time between two notifications.
  private static let watchPeriod: Duration = .milliseconds(100)
}

extension OverviewLine {
  /// Adds the scheduler's figures. This function must be fast, since a daemon may have thousands of
  /// jobs. Each visit to the status page calls the function.
  fileprivate mutating func count(
    _ scheduler: borrowing Scheduler, held names: Set<JobName>, now: Timestamp
  ) {
    // Most jobs have the state of the previous job, so `jobs` is written once for each series of
    // equal states.
    var series: (state: JobState, count: Int) = (.scheduled, 0)
    for number in scheduler.numbers {
      let reason = scheduler.waitReason(number, now: now)
      let state = JobState(reason)
      if state != series.state {
        jobs[series.state, default: 0] += series.count
        series = (state, 0)
      }
      series.count += 1
      if scheduler.isEnabled(number),
        scheduler.failureCount(of: number) >= Scheduler.brokenAfter
          || scheduler.hasLoadFailure(number)
      {
        broken += 1
      }
      switch reason {
      case .paused(_, .gone): pausedBySource += 1
      case .turn:
        if let dueAt = scheduler.dueAt(of: number) { overdue = max(overdue, now - dueAt) }
      default: break
      }
    }
    jobs[series.state, default: 0] += series.count
    jobs = jobs.filter { $0.value > 0 }
    held += names.count { name in
      scheduler.number(of: name).map { scheduler.isEnabled($0) } ?? false
    }
    runs = scheduler.budget.runningCount
    nextDueAt = scheduler.nextWake
    pausedSince = scheduler.pausedSince
    offlineSince = scheduler.offlineSince
    storeTrouble = scheduler.storeTrouble?.message
  }
}
