import FetchModel
package import FetchSchedule
package import FetchValues

/// The requests of people and the events of the machine.
extension ScheduledJobs {
  /// nil: there is no such job.
  package func trigger(
    _ name: String, _ kind: TriggerKind, skipsInterval: Bool = true, now: Timestamp
  ) -> TriggerAnswer? {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return nil }
      // What a daemon has promised is kept across restarts; who runs jobs once promises nothing.
      if !runsOnce { state.changed.insert(number) }
      return state.scheduler.trigger(number, kind, skipsInterval: skipsInterval, now: now)
    }
  }

  /// Whether its last run failed, and its time comes by itself.
  func hasFailed(_ name: String) -> Bool {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return false }
      return scheduler.schedule(of: number).failureCount > 0 && scheduler[number].isEnabled
        && scheduler[number].interval != .never
    }
  }

  /// A person asks for a run of a job: the number of the run that answers it, which may be under
  /// way already, or why there will be none. See `RunStart.number`.
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

  /// The run of a job whose time has come, or that is under way; nil for others.
  func dueRun(_ name: String, now: Timestamp) -> Int64? {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return nil }
      let count = scheduler.schedule(of: number).runCount
      if scheduler.isRunning(number) { return count }
      return scheduler.isDue(number, now: now) ? count + 1 : nil
    }
  }

  /// Whether it is a disabled job that could not run.
  func isUnready(_ name: String) -> Bool {
    look { scheduler in scheduler.number(of: name).map { !scheduler[$0].isReady } ?? false }
  }

  /// All jobs with a name of nil. Whether that changed anything; nil: there is no such job.
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

  /// As `pause`.
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

  /// Whether load and power are to be told before runs are started.
  package var hasConditions: Bool { withState { $0.hasConditions } }
  /// Whether a job is held by load or power now.
  package var waitsForConditions: Bool { withState { $0.scheduler.waitsForConditions } }

  /// How old what each job has is, for hooks that are told of it; without those that are paused,
  /// disabled or never run by themselves.
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
