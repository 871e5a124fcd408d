import FetchModel
package import FetchSchedule
package import FetchValues

/// The requests of people and the events of the machine.
extension ScheduledJobs {
  /// Triggers a job. Returns nil if the job does not exist.
  package func trigger(
    _ name: String, _ kind: TriggerKind, skipsInterval: Bool = true, now: Timestamp
  ) -> TriggerAnswer? {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return nil }
      // In a daemon, a triggered run is stored, so that it takes place even after a restart. A
      // command that runs jobs once stores nothing.
      if !runsOnce { state.changed.insert(number) }
      return state.scheduler.trigger(number, kind, skipsInterval: skipsInterval, now: now)
    }
  }

  /// Lets the next run of the job ask its source and no cache.
  func askFresh(_ name: String) { withState { _ = $0.fresh.insert(ExactText(name)) } }

  /// Returns whether the run that begins now must ask its source and no cache.
  package func takeFresh(_ name: String) -> Bool {
    withState { !$0.fresh.isEmpty && $0.fresh.remove(ExactText(name)) != nil }
  }

  /// Whether the job's last run failed and the schedule will start another run.
  func hasFailed(_ name: String) -> Bool {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return false }
      return scheduler.schedule(of: number).failureCount > 0 && scheduler[number].isEnabled
        && scheduler[number].interval != .never
    }
  }

  /// Requests a run of a job for a person. Returns the number of the run that serves the request,
  /// which may already be under way, or the reason for a refusal. See `RunStart.number`.
  func ask(_ name: String, now: Timestamp) -> Result<Int64, RunRefusal> {
    withState { state in
      guard let number = state.scheduler.number(of: name) else {
        return .failure(RunRefusal(sentence: "there is no such job"))
      }
      let count = state.scheduler.schedule(of: number).runCount
      if state.scheduler.isRunning(number) { return .success(count) }
      let answer = state.scheduler.trigger(number, .manual, now: now)
      if case .skipped(let reason) = answer {
        return .failure(RunRefusal(sentence: reason.sentence))
      }
      return .success(count + 1)
    }
  }

  /// Returns the number of the job's run if the run is due or under way; otherwise nil.
  func dueRun(_ name: String, now: Timestamp) -> Int64? {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return nil }
      let count = scheduler.schedule(of: number).runCount
      if scheduler.isRunning(number) { return count }
      return scheduler.isDue(number, now: now) ? count + 1 : nil
    }
  }

  /// Whether the job is disabled and cannot be prepared.
  func isUnready(_ name: String) -> Bool {
    look { scheduler in scheduler.number(of: name).map { !scheduler[$0].isReady } ?? false }
  }

  /// Pauses a job, or all jobs if the name is nil. Returns whether the job's state changed; nil if
  /// the job does not exist.
  package func pause(_ name: String?, now: Timestamp) -> Bool? {
    withState { state in
      guard let name else {
        defer { state.scheduler.pauseAll(now: now) }
        return state.scheduler.pausedSince == nil
      }
      guard let number = state.scheduler.number(of: name) else { return nil }
      state.changed.insert(number)
      return state.scheduler.pause(number, now: now)
    }
  }

  /// Resumes a job, or all jobs if the name is nil. Returns whether the job's state changed; nil if
  /// the job does not exist.
  package func resume(_ name: String?, now: Timestamp) -> Bool? {
    withState { state in
      guard let name else {
        defer { state.scheduler.resumeAll(now: now) }
        return state.scheduler.pausedSince != nil
      }
      guard let number = state.scheduler.number(of: name) else { return nil }
      defer { state.scheduler.resume(number, now: now) }
      state.changed.insert(number)
      return state.scheduler.schedule(of: number).pausedAt != nil
    }
  }

  package func setOnline(_ isOnline: Bool, now: Timestamp) {
    withState { $0.scheduler.setOnline(isOnline, now: now) }
  }

  package func setConditions(_ machine: MachineState, now: Timestamp) {
    withState { $0.scheduler.setConditions(machine, now: now) }
  }

  /// Whether load and power must be read before runs start.
  package var hasConditions: Bool { withState { $0.hasConditions } }
  /// Whether any job waits for load or power now.
  package var waitsForConditions: Bool { withState { $0.scheduler.waitsForConditions } }

  /// Returns the times of each job's last success and last new data, for hooks. Leaves out jobs
  /// that are paused or disabled, and jobs that run only when they are triggered.
  func ages() -> [JobAge] {
    withState { state in
      if state.scheduler.pausedSince != nil { return [] }
      return state.scheduler.numbers.compactMap { number in
        let schedule = state.scheduler.schedule(of: number)
        guard let job = state.jobs[number], state.scheduler[number].isEnabled,
          schedule.pausedAt == nil, let dueAt = schedule.dueAt
        else { return nil }
        return JobAge(
          job: job.name, plugin: job.plugin.manifest.name,
          lastSuccessAt: schedule.lastSuccessAt ?? schedule.failingSince,
          lastNewDataAt: schedule.lastNewDataAt, dueAt: dueAt)
      }
    }
  }
}
