package import FetchConfig
package import FetchModel
package import FetchStore
package import FetchValues

/// The jobs of a config with the state that a store contains. Commands use this type if no daemon
/// serves the store.
package struct StoredJobs: Sendable {
  private let config: Config
  private let store: StoreAddress
  private let local: ZoneOffsets
  private let suggested: SuggestedCommand
  private let hooks: LuaHooks
  private var prepared: [Job] = []
  /// The names of disabled jobs that cannot be prepared.
  private var unready: [JobName] = []
  /// The enabled jobs that cannot be prepared. Each is shown with its stored state.
  private var mistaken: [JobConfig] = []
  /// The problems of the config and of its enabled jobs.
  package private(set) var problems: [ConfigProblem]

  /// Prepares the jobs of a config. Throws the problems of the first enabled job that has problems,
  /// unless `toleratesMistakes` is true.
  ///
  /// - Parameters:
  ///   - problems: the problems of the config itself.
  ///   - toleratesMistakes: whether jobs with mistakes are shown with their stored state.
  ///   - local: the time zone of jobs without the key `zone`.
  ///   - suggested: makes the commands that messages suggest.
  package init(
    _ config: Config, problems: [ConfigProblem] = [], toleratesMistakes: Bool,
    store: StoreAddress, shelf: PluginShelf, local: ZoneOffsets, suggested: SuggestedCommand
  ) async throws(ConfigProblems) {
    self.config = config
    self.problems = problems
    self.store = store
    self.local = local
    self.suggested = suggested
    let preparation = JobPreparation(shelf: shelf, memory: GrantMemory(store: store))
    hooks = (try? await preparation.hooks(of: config)) ?? LuaHooks()
    for job in config.jobs {
      do throws(ConfigProblems) {
        let ready =
          job.isEnabled
          ? try await preparation.prepareToFail(job) : try await preparation.prepare(job)
        prepared.append(hooks.joined(to: ready))
      } catch {
        if !job.isEnabled {
          unready.append(job.name)
          continue
        }
        if !toleratesMistakes { throw error }
        self.problems += error.all
        mistaken.append(job)
      }
    }
  }

  /// Returns a `JobControl` that answers requests that only read, such as `status`, `explain` and
  /// `budget`. Its jobs have the state that they would have if a daemon started now. Writes
  /// nothing. Returns nil if the store cannot be opened and `problems` is not empty, because these
  /// problems may be the cause.
  package func readingControl(at now: Timestamp) async throws(StoreError) -> JobControl? {
    let reader: any ReadableStore
    do throws(StoreError) { reader = try await StoreOpener.read(store) } catch {
      if problems.isEmpty { throw error }
      return nil
    }
    // Without a config, `file` is empty.
    let hasConfig = !config.jobs.isEmpty || problems.isEmpty && !config.file.isEmpty
    return try await control(
      unlisted: hasConfig ? [] : try await reader.jobs().map(\.name), in: reader, reader: reader,
      at: now)
  }

  /// Returns a `JobControl` that answers `status` and `explain` before the store exists: no job has
  /// run yet.
  package func controlBeforeStore(at now: Timestamp) async throws(StoreError) -> JobControl {
    try await control(in: UncreatedStore(), reader: nil, at: now)
  }

  private func control(
    unlisted: [JobName] = [], in memory: any ScheduleReading & GrantReading,
    reader: (any ReadableStore)?, at now: Timestamp
  ) async throws(StoreError) -> JobControl {
    let jobs = try await ScheduledJobs.remembered(
      prepared, unready: unready, mistaken: mistaken, unlisted: unlisted, config, in: memory,
      local: local, now: now, abandoned: try await memory.abandoned())
    let registry = HookRegistry()
    registry.set(config.allHooks, lua: hooks)
    return JobControl(
      jobs: jobs, now: { now }, grants: GrantBook(reading: memory, suggested: suggested),
      reader: reader, hooks: registry)
  }

  /// Returns a `JobControl` that answers `pause` and `resume`. It writes to the store of the
  /// pipeline.
  package func writingControl(
    _ pipeline: RunPipeline, events: EventSink
  ) async throws(StoreError) -> JobControl {
    let service = try await JobService(
      config, pipeline: pipeline, noting: .never, local: local, events: events)
    try await service.load(
      prepared, unready: unready, local: local,
      abandoned: try await pipeline.services.store.recover().abandonedJobs)
    return service.control(reload: { .done })
  }
}
