import FetchConfig
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// Runs of plugins that no config names, which other processes hand to a daemon because it has the
/// store. They share its budget, its lanes and its scheduler with the jobs of the config.
///
/// A guest may do what its own request grants, and no other job may do more for it: its grant is its
/// own, hooks of the config hear nothing of it, and its name must be none of the config's.
package struct GuestRuns: Sendable {
  let jobs: ScheduledJobs
  let known: KnownJobs
  let store: SQLiteStore
  let now: @Sendable () -> Timestamp
  /// Reads each file anew.
  let shelf: @Sendable () -> PluginShelf

  func answer(
    _ request: GuestRequest, _ loop: RunLoop, _ tell: @Sendable (RunAnswer) async -> Void
  ) async -> ControlEnd {
    if loop.isDraining { return .failed(RunLoop.stopping) }
    let job: Job
    switch await prepared(request) {
    case .success(let found): job = found
    case .failure(let refusal): return .failed(refusal.sentence)
    }
    var config = JobConfig(name: job.name, plugin: request.plugin)
    config.interval = .never
    guard jobs.adopt(PreparedJob(config: config, job: job), now: now()) else {
      return .failed(
        "the daemon of this store has a job '\(job.name)': run that with `fetchrun run \(job.name)`,"
          + " or give this run another name with --job")
    }
    known.adopt(job)
    await keepName(of: job)
    let end = await AwaitedRuns(jobs: jobs, loop: loop, now: now)
      .ask([job.name], onlyDue: false, tell: tell)
    // Where nobody waits any more, the run may still be under way: then its end does this.
    jobs.dismiss(job.name)
    known.forgetGuests { name in
      jobs.isGuest(name) || (try? store.reader.hasOpenTransfers(of: name)) != false
    }
    return end
  }

  /// Keeps the name for the job before its first run has ended, so that the same command finds it
  /// meanwhile. A store that fails now fails the run, too, which says so.
  private func keepName(of job: Job) async {
    guard let identity = job.identity else { return }
    do throws(StoreError) {
      guard try store.reader.job(identity: identity) == nil else { return }
      try await store.claim(job.name, identity: identity, plugin: job.plugin.manifest.name)
    } catch {}
  }

  private func prepared(_ request: GuestRequest) async -> Result<Job, RunRefusal> {
    func refused(_ sentence: String) -> Result<Job, RunRefusal> {
      .failure(RunRefusal(sentence: sentence))
    }
    guard let definition = request.definition else {
      return refused("the daemon of this store is of another version; restart it")
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

  /// Under the name that its user knows it by, where the daemon finds the same file there.
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
  /// Takes in a job that no config has, until its next run has ended. False where there is a job of
  /// that name.
  func adopt(_ prepared: PreparedJob, now: Timestamp) -> Bool {
    withState { state in
      guard state.scheduler.number(of: prepared.job.name) == nil else { return false }
      _ = state.take(prepared, ScheduledJob(prepared, local: .utc), now: now)
      state.guests.insert(ExactText(prepared.job.name))
      return true
    }
  }

  /// Forgets a guest, unless its run is under way.
  func dismiss(_ name: String) {
    withState { state in
      if let number = state.scheduler.number(of: name), !state.scheduler.isRunning(number) {
        state.dismiss(number)
      }
    }
  }

  func isGuest(_ name: String) -> Bool { withState { $0.guests.contains(ExactText(name)) } }
}

extension ScheduledJobs.State {
  func isGuest(_ number: JobNumber) -> Bool {
    !guests.isEmpty && guests.contains(ExactText(scheduler[number].name))
  }

  /// Nothing where the job is one of the config.
  mutating func dismiss(_ number: JobNumber) {
    // The number of a job that is gone has no name.
    guard !guests.isEmpty, guests.remove(ExactText(scheduler[number].name)) != nil else { return }
    scheduler.remove(number)
    jobs[number] = nil
    changed.remove(number)
  }
}
