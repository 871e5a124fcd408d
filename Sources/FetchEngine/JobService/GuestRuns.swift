import FetchConfig
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// The runs of plugins outside the config. Other processes send the requests for these runs to the
/// daemon. The runs share the daemon's budget, lanes and scheduler with the jobs of the config.
///
/// The job of such a run is called a guest. Hooks of the config do not receive the events of a
/// guest. The name of a guest must differ from the names in the config.
package struct GuestRuns: Sendable {
  let jobs: ScheduledJobs
  let known: KnownJobs
  let store: any Store
  let now: @Sendable () -> Timestamp
  /// The function that creates a plugin shelf for one request. A new shelf reads each file again.
  let shelf: @Sendable () -> PluginShelf

  func answer(
    _ request: GuestRequest, _ loop: RunLoop, _ tell: @Sendable (RunAnswer) async -> Void
  ) async -> ControlEnd {
    if loop.isDraining { return .failed(RunLoop.stopping) }
    var job: Job
    switch await prepared(request) {
    case .success(let found): job = found
    case .failure(let refusal): return .failed(refusal.sentence)
    }
    let ticket: Int
    switch await adopt(&job, request) {
    case .success(let taken): ticket = taken
    case .failure(let refusal): return .failed(refusal.sentence)
    }
    known.adopt(job)
    let name = job.name
    await keepName(of: job)
    let end = await RequestedRuns(jobs: jobs, loop: loop, now: now)
      .ask([name], onlyDue: false, tell: tell)
    // If the client has disconnected, the run may still be under way. In this case, the guest is
    // removed when the run ends.
    jobs.dismiss(name, ticket)
    await known.forgetGuests { name in
      if jobs.isGuest(name) { return true }
      return (try? await store.hasOpenTransfers(of: name)) != false
    }
    return end
  }

  /// Adds the job under the first of its possible names that is free, and returns the job's ticket.
  /// Returns the reason if the job cannot be added.
  ///
  /// Fails without trying further names if the config has a job with the job's present name. Also
  /// fails if a guest with the job's identity has a tried name.
  private func adopt(
    _ job: inout Job, _ request: GuestRequest
  ) async -> Result<Int, RunRefusal> {
    let asked = job.name
    var reason =
      "the store already has another job '\(asked)': "
      // Without an identity, the job has no other name that another try could find.
      + (job.identity == nil ? "" : "try again, or ") + "give this run another name with --job"
    for name in await names(of: job, request) {
      job.name = name
      switch jobs.adopt(job, now: now()) {
      case .adopted(let ticket):
        // A name that the user did not choose is checked in the store now. Another guest may have
        // stored the name and ended in the meantime.
        if name == asked && request.isNamed { return .success(ticket) }
        if await isFree(name, for: job) { return .success(ticket) }
        jobs.dismiss(name, ticket)
      case .isOfConfig:
        reason =
          "the daemon of this store has a job '\(name)': run the job with `fetchrun run"
          + " \(ShellWord.quoted(name.text))`, or give this run another name with --job"
        if name == asked { return .failure(RunRefusal(sentence: reason)) }
      case .isGuest(let identity):
        reason =
          "the daemon of this store has a job '\(name)' of another command: wait until its run has"
          + " ended, or give this run another name with --job"
        if request.isNamed || identity == job.identity {
          return .failure(RunRefusal(sentence: reason))
        }
      }
    }
    return .failure(RunRefusal(sentence: reason))
  }

  /// Returns the possible names of the job, in order of preference.
  private func names(of job: Job, _ request: GuestRequest) async -> [JobName] {
    guard !request.isNamed, let key = job.identity, let config = request.config else {
      return [job.name]
    }
    if let known = try? await store.job(identity: key) { return [known] }
    let identity = config.identity(with: job.plugin)
    return [job.name, identity.readable, identity.qualified, JobName(identity.key)]
  }

  /// Whether the job may use the name. False if the store knows the job's identity under another
  /// name. Also false if the store does not know the identity, but has a job with the name. True if
  /// the store cannot be read, since the run then fails and reports the error.
  private func isFree(_ name: JobName, for job: Job) async -> Bool {
    if let key = job.identity, let known = try? await store.job(identity: key) {
      return known == name
    }
    return (try? await store.hasJob(name)) != true
  }

  /// Stores the job's name before its first run, so that a repeated command finds the name during
  /// this run. Ignores errors of the store, since the run reports them.
  private func keepName(of job: Job) async {
    guard let identity = job.identity else { return }
    do throws(StoreError) {
      guard try await store.job(identity: identity) == nil else { return }
      try await store.claim(job.name, identity: identity, plugin: job.plugin.manifest.name)
    } catch {}
  }

  private func prepared(_ request: GuestRequest) async -> Result<Job, RunRefusal> {
    func refused(_ sentence: String) -> Result<Job, RunRefusal> {
      .failure(RunRefusal(sentence: sentence))
    }
    guard var config = request.config else {
      return refused(
        "the daemon of this store runs another version of fetchrun: restart the daemon")
    }
    let plugin: Plugin
    do throws(PluginProblems) {
      plugin = try await self.plugin(of: request)
    } catch {
      return refused(
        "the daemon of this store cannot load the plugin: \(error.description)")
    }
    guard plugin.source.contentHash == request.hash else {
      return refused(
        "the daemon of this store finds different content in \(request.file), or in a file that the"
          + " plugin requires: try again if a file is being written, otherwise use another store:"
          + " --store try.sqlite")
    }
    do throws(OptionProblems) {
      config.interval = .never
      var job = try config.job(with: plugin)
      job.isGuest = true
      return .success(job)
    } catch {
      return refused(error.messages.joined(separator: "; "))
    }
  }

  /// Loads the plugin by the requested name, if the name has no slash and the loaded content has
  /// the requested hash. Otherwise loads the plugin by the path of its file.
  private func plugin(of request: GuestRequest) async throws(PluginProblems) -> Plugin {
    let shelf = shelf()
    if !request.plugin.hasSlash, let found = try? await shelf.plugin(named: request.plugin),
      found.source.contentHash == request.hash
    {
      return found
    }
    return try await shelf.plugin(named: request.file)
  }
}

extension ScheduledJobs {
  /// A job that is in no config.
  struct Guest: Sendable {
    /// The number that distinguishes this guest from earlier guests with the same name.
    let ticket: Int
    let identity: String?
  }

  /// The result of adding a guest: the guest's ticket, or the kind of job that already has the
  /// name.
  enum Adoption: Sendable {
    case adopted(ticket: Int)
    case isOfConfig
    case isGuest(identity: String?)
  }

  /// Adds a guest. If a job with the same name exists, no job is added.
  func adopt(_ job: Job, now: Timestamp) -> Adoption {
    withState { state in
      let name = job.name
      if let guest = state.guests[name] { return .isGuest(identity: guest.identity) }
      guard state.scheduler.number(of: job.name) == nil else { return .isOfConfig }
      state.lastTicket += 1
      // The end of an earlier guest's run may not be reported yet. The number of this guest's run
      // is higher, so a client that awaits it ignores that end.
      var schedule = JobSchedule()
      schedule.runCount = Int64(state.lastTicket)
      _ = state.take(job, ScheduledJob(job, local: .utc), remembered: schedule, now: now)
      state.guests[name] = Guest(ticket: state.lastTicket, identity: job.identity)
      return .adopted(ticket: state.lastTicket)
    }
  }

  /// Removes a guest, unless the guest's run is under way or another guest now has the name.
  func dismiss(_ name: JobName, _ ticket: Int) {
    withState { state in
      if let number = state.scheduler.number(of: name), !state.scheduler.isRunning(number),
        state.guests[name]?.ticket == ticket
      {
        state.dismiss(number)
      }
    }
  }

  func isGuest(_ name: JobName) -> Bool { withState { $0.guests[name] != nil } }
}

extension ScheduledJobs.State {
  func isGuest(_ number: JobNumber) -> Bool {
    !guests.isEmpty && guests[scheduler[number].name] != nil
  }

  /// Removes the guest with the number. Does nothing if the number is that of a job of the config.
  mutating func dismiss(_ number: JobNumber) {
    guard !guests.isEmpty, guests.removeValue(forKey: scheduler[number].name) != nil
    else { return }
    scheduler.remove(number)
    jobs[number] = nil
    changed.remove(number)
  }
}
