import FetchModel
package import FetchSchedule
package import FetchValues

extension ScheduledJobs {
  /// Triggers a job. Returns nil if the job does not exist.
  package func trigger(
    _ name: JobName, _ kind: TriggerKind, skipsInterval: Bool = true, now: Timestamp
  ) -> TriggerAnswer? {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return nil }
      // In a daemon, a changed due time of the job is stored, so that the run takes place even
      // after a restart. In a command that runs jobs once, the change is not stored.
      if !runsOnce { state.changed.insert(number) }
      return state.scheduler.trigger(number, kind, skipsInterval: skipsInterval, now: now)
    }
  }

  /// Requires that caches check with the source before they answer the requests of the job's next
  /// run.
  func askFresh(_ name: JobName) { withState { _ = $0.fresh.insert(name) } }

  /// Returns whether caches must check with the source before they answer the requests of the run
  /// that begins now. Clears this requirement. Later runs have it only after another call of
  /// `askFresh`.
  package func takeFresh(_ name: JobName) -> Bool {
    withState { !$0.fresh.isEmpty && $0.fresh.remove(name) != nil }
  }

  /// Whether the job's last run failed, the job is enabled, and its interval is not `never`.
  func hasFailed(_ name: JobName) -> Bool {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return false }
      return scheduler.schedule(of: number).failureCount > 0 && scheduler[number].isEnabled
        && scheduler[number].interval != .never
    }
  }

  /// Requests a manual run of a job. Returns the number of the run that serves the request, or the
  /// reason for a refusal. A run that is already under way serves the request. See
  /// `RunStart.number`.
  func ask(_ name: JobName, now: Timestamp) -> Result<Int64, RunRefusal> {
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
  func dueRun(_ name: JobName, now: Timestamp) -> Int64? {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return nil }
      let count = scheduler.schedule(of: number).runCount
      if scheduler.isRunning(number) { return count }
      return scheduler.isDue(number, now: now) ? count + 1 : nil
    }
  }

  /// Returns a sentence about the pause of the job or of all jobs; nil if the job is not paused.
  func pauseSentence(_ name: JobName, now: Timestamp) -> String? {
    look { scheduler in
      scheduler.number(of: name).flatMap { scheduler.pauseReason($0) }?.sentence(now: now)
    }
  }

  /// Returns the reason why the job is neither due nor running, as a sentence. Returns nil if it is
  /// due or running, or if there is no such job.
  func notDueSentence(_ name: JobName, now: Timestamp) -> String? {
    look { scheduler in
      guard let number = scheduler.number(of: name), !scheduler.isRunning(number),
        !scheduler.isDue(number, now: now)
      else { return nil }
      return scheduler.waitReason(number, now: now).sentence(now: now)
    }
  }

  /// Whether the job is disabled and cannot be prepared.
  func isUnready(_ name: JobName) -> Bool {
    look { scheduler in scheduler.number(of: name).map { !scheduler[$0].isReady } ?? false }
  }

  /// Pauses a job, or all jobs if the name is nil. Returns false if a person had already paused the
  /// job, or all jobs if the name is nil. Returns nil if the job does not exist.
  package func pause(_ name: JobName?, now: Timestamp) -> Bool? {
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

  /// Resumes a job, or all jobs if the name is nil. Returns whether there was a pause to end; nil
  /// if the job does not exist.
  package func resume(_ name: JobName?, now: Timestamp) -> Bool? {
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

  /// Returns the times of each job's last success and last new data, for hooks. If a job has no
  /// success, its first failure counts as the last success. Leaves out jobs that are paused or
  /// disabled, and jobs without a due time.
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

extension ScheduledJobs {
  /// Returns the names of the jobs whose last run failed and whose plugins load.
  func backingOff() -> [JobName] {
    withState { state in
      var names: [JobName] = []
      for number in state.scheduler.numbers where state.scheduler.failureCount(of: number) > 0 {
        if let job = state.jobs[number], job.plugin.loadFailure == nil { names.append(job.name) }
      }
      return names
    }
  }

  func retry(_ name: JobName, now: Timestamp) {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return }
      state.scheduler.retry(number, now: now)
      state.changed.insert(number)
    }
  }
}

extension ScheduledJobs.State {
  /// Adds a job, or applies the changes of an existing job.
  mutating func take(
    _ job: consuming Job, _ scheduled: ScheduledJob, remembered: JobSchedule = JobSchedule(),
    now: Timestamp
  ) -> JobNumber {
    let number = scheduler.add(scheduled, remembered, now: now)
    // The config is removed to save memory: a daemon may have 10,000 jobs.
    job.config = nil
    let isLoaded = !scheduled.hasLoadFailure
    let before = jobs[number]
    jobs[number] = job
    if isLoaded { resumeIfGoneSourceChanged(number, now: now) }
    retryIfChanged(number, from: before, now: now)
    if !isLoaded { makeDueToFail(number, now: now) }
    return number
  }

  /// Makes a job whose plugin does not load due now, unless the job's last run failed. The run then
  /// fails, and the job's status shows the reason. Otherwise the due time could be days away.
  private mutating func makeDueToFail(_ number: JobNumber, now: Timestamp) {
    guard scheduler.failureCount(of: number) == 0 else { return }
    let isNew = scheduler.schedule(of: number).dueReason == .firstRun
    scheduler.reschedule(number, at: now, reason: isNew ? .firstRun : .sourceChanged, now: now)
  }

  mutating func notePlanned(_ number: JobNumber, now: Timestamp) {
    guard let dueAt = scheduler.dueAt(of: number), dueAt > now else { return }
    planned.append(number)
  }

  /// Ends the back-off of a job if its plugin, options, permissions or secret sources have changed.
  mutating func retryIfChanged(_ number: JobNumber, from before: Job?, now: Timestamp) {
    guard let before, scheduler.failureCount(of: number) > 0, let job = jobs[number],
      before.source != job.source || before.claim != job.claim
        || before.secretSources != job.secretSources
        || before.plugin.loadFailure != job.plugin.loadFailure
    else { return }
    scheduler.retry(number, now: now)
    changed.insert(number)
  }
}
