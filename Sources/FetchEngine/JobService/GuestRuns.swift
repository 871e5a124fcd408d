import FetchConfig
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// Runs of plugins outside the config, which other processes hand to a daemon because it holds the
/// store. They share its budget, its lanes and its scheduler with the jobs of the config.
///
/// A guest may do what its own request grants, and no other job may do more because of it: its
/// grant is separate, hooks of the config are not notified of it, and its name must differ from
/// those of the config.
package struct GuestRuns: Sendable {
  let jobs: ScheduledJobs
  let known: KnownJobs
  let store: any Store
  let now: @Sendable () -> Timestamp
  /// Makes a new shelf, which reads each file anew.
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
    // If the client has disconnected, the run may still be under way: then its end does this.
    jobs.dismiss(name, ticket)
    await known.forgetGuests { name in
      if jobs.isGuest(name) { return true }
      return (try? await store.hasOpenTransfers(of: name)) != false
    }
    return end
  }

  /// Adds the job under the first of its names that is free, and returns its ticket. The name that
  /// the requesting program has found may be taken by now: commands typed at the same moment do not
  /// know of each other.
  private func adopt(
    _ job: inout Job, _ request: GuestRequest
  ) async -> Result<Int, RunRefusal> {
    let asked = job.name
    var reason = ""
    for name in await names(of: job, request) {
      job.name = name
      var config = JobConfig(name: name, plugin: request.plugin)
      config.interval = .never
      switch jobs.adopt(PreparedJob(config: config, job: job), now: now()) {
      case .adopted(let ticket):
        // Until now its last guest, which has this name, may have been under way.
        if name == asked && request.isNamed { return .success(ticket) }
        if await isFree(name, for: job) { return .success(ticket) }
        jobs.dismiss(name, ticket)
      case .isOfConfig:
        reason =
          "the daemon of this store has a job '\(name)': run that with `fetchrun run \(name)`,"
          + " or give this run another name with --job"
        if name == asked { return .failure(RunRefusal(sentence: reason)) }
      case .isGuest(let identity):
        reason =
          "the daemon of this store has a job '\(name)', which another command is running: wait for"
          + " it to end, or give this run another name with --job"
        if request.isNamed || identity == job.identity {
          return .failure(RunRefusal(sentence: reason))
        }
      }
    }
    return .failure(RunRefusal(sentence: reason))
  }

  /// Returns the possible names of the job, the best one first.
  private func names(of job: Job, _ request: GuestRequest) async -> [String] {
    guard !request.isNamed, let key = job.identity, let definition = request.definition else {
      return [job.name]
    }
    if let known = try? await store.job(identity: key) { return [known] }
    let identity = definition.identity(with: job.plugin)
    return [job.name, identity.readable, identity.qualified, identity.key]
  }

  /// Whether no other job of the store has the name. If the store cannot be read, the run fails and
  /// reports that.
  private func isFree(_ name: String, for job: Job) async -> Bool {
    if let key = job.identity, let known = try? await store.job(identity: key) {
      return ExactText(known) == ExactText(name)
    }
    return (try? await store.hasJob(name)) != true
  }

  /// Stores the job's name before its first run has ended, so that the same command finds it
  /// meanwhile. If the store fails now, the run fails, too, and reports that.
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
    guard let definition = request.definition else {
      return refused("the daemon of this store has another version; restart it")
    }
    let plugin: Plugin
    do throws(PluginProblems) {
      plugin = try await self.plugin(of: request)
    } catch {
      return refused(
        "the daemon of this store cannot read the plugin: "
          + error.all.map(\.description).joined(separator: "; "))
    }
    guard plugin.source.contentHash == request.hash else {
      return refused(
        "the daemon of this store reads another \(request.file), or another file that it requires, than"
          + " this program; unless it is just being written, use another store: --store try.sqlite")
    }
    do throws(OptionProblems) {
      var job = try definition.job(with: plugin)
      job.isGuest = true
      return .success(job)
    } catch {
      return refused(error.messages.joined(separator: "; "))
    }
  }

  /// Loads the plugin under the user's name for it, if the daemon finds the same file under that
  /// name.
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
    /// Distinguishes it from earlier guests of the same name.
    let ticket: Int
    /// See `Job.identity`.
    let identity: String?
  }

  /// The result of adding a guest: added, or the name's present owner.
  enum Adoption: Sendable {
    case adopted(ticket: Int)
    case isOfConfig
    case isGuest(identity: String?)
  }

  /// Adds a job that is in no config until its next run has ended, unless a job of that name
  /// exists.
  func adopt(_ prepared: PreparedJob, now: Timestamp) -> Adoption {
    withState { state in
      let name = ExactText(prepared.job.name)
      if let guest = state.guests[name] { return .isGuest(identity: guest.identity) }
      guard state.scheduler.number(of: prepared.job.name) == nil else { return .isOfConfig }
      _ = state.take(prepared, ScheduledJob(prepared, local: .utc), now: now)
      state.lastTicket += 1
      state.guests[name] = Guest(ticket: state.lastTicket, identity: prepared.job.identity)
      return .adopted(ticket: state.lastTicket)
    }
  }

  /// Forgets a guest, unless its run is under way or another guest has its name now.
  func dismiss(_ name: String, _ ticket: Int) {
    withState { state in
      if let number = state.scheduler.number(of: name), !state.scheduler.isRunning(number),
        state.guests[ExactText(name)]?.ticket == ticket
      {
        state.dismiss(number)
      }
    }
  }

  func isGuest(_ name: String) -> Bool { withState { $0.guests[ExactText(name)] != nil } }
}

extension ScheduledJobs.State {
  func isGuest(_ number: JobNumber) -> Bool {
    !guests.isEmpty && guests[ExactText(scheduler[number].name)] != nil
  }

  /// Forgets a guest; does nothing for a job of the config.
  mutating func dismiss(_ number: JobNumber) {
    // The number of a removed job has no name.
    guard !guests.isEmpty, guests.removeValue(forKey: ExactText(scheduler[number].name)) != nil
    else { return }
    scheduler.remove(number)
    jobs[number] = nil
    changed.remove(number)
  }
}
