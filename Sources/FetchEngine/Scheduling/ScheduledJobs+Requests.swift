import FetchModel
package import FetchSchedule
package import FetchValues

/// The requests of people and the events of the machine.
extension ScheduledJobs {
  /// Triggers a job; returns nil if there is no such job.
  package func trigger(
    _ name: String, _ kind: TriggerKind, skipsInterval: Bool = true, now: Timestamp
  ) -> TriggerAnswer? {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return nil }
      // A daemon keeps a promised run across restarts; a command that runs jobs once promises
      // nothing.
      if !runsOnce { state.changed.insert(number) }
      return state.scheduler.trigger(number, kind, skipsInterval: skipsInterval, now: now)
    }
  }

  /// Whether its last run failed and its next time is scheduled.
  func hasFailed(_ name: String) -> Bool {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return false }
      return scheduler.schedule(of: number).failureCount > 0 && scheduler[number].isEnabled
        && scheduler[number].interval != .never
    }
  }

  /// Requests a run of a job for a person. Returns the number of the run that answers the request,
  /// which may be under way already, or the reason for a refusal. See `RunStart.number`.
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

  /// Returns the number of the job's run if it is due or under way; otherwise nil.
  func dueRun(_ name: String, now: Timestamp) -> Int64? {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return nil }
      let count = scheduler.schedule(of: number).runCount
      if scheduler.isRunning(number) { return count }
      return scheduler.isDue(number, now: now) ? count + 1 : nil
    }
  }

  /// Whether it is a disabled job that cannot be prepared.
  func isUnready(_ name: String) -> Bool {
    look { scheduler in scheduler.number(of: name).map { !scheduler[$0].isReady } ?? false }
  }

  /// Pauses a job, or all jobs if the name is nil. Returns whether that changed anything; nil if
  /// there is no such job.
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

  /// Resumes a job, or all jobs if the name is nil. Returns whether that changed anything; nil if
  /// there is no such job.
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
  /// Whether load or power holds a job now.
  package var waitsForConditions: Bool { withState { $0.scheduler.waitsForConditions } }

  /// Returns the age of each job's last success and last news, for hooks. Leaves out jobs that are
  /// paused or disabled, or that never run by themselves.
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
