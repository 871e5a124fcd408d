package import FetchConfig
package import FetchModel
package import FetchStore
package import FetchValues

/// The jobs of a config as a store has them, for a command that finds no daemon on the store.
///
/// The same `JobControl` answers as in a daemon. It uses a copy of the stored memory to show jobs,
/// and the open store to pause or resume them.
package struct StoredJobs: Sendable {
  private let config: Config
  private let store: StoreAddress
  private let local: ZoneOffsets
  private let suggested: SuggestedCommand
  private let hooks: LuaHooks
  private var prepared: [PreparedJob] = []
  /// The names of disabled jobs that cannot be prepared.
  private var unready: [String] = []
  /// The enabled jobs that cannot be prepared; they are shown as the store remembers them.
  private var mistaken: [JobConfig] = []
  /// The problems of the config and of its enabled jobs.
  package private(set) var problems: [ConfigProblem]

  /// Prepares the jobs of a config. Throws the problems of the first enabled job that has any,
  /// unless mistakes are tolerated.
  ///
  /// - Parameters:
  ///   - problems: the problems of the config itself.
  ///   - toleratesMistakes: whether jobs with mistakes are shown, as the store remembers them.
  ///   - local: the time zone of times in the config.
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

  /// Returns the control that answers `status`, `explain` and `budget`, with the jobs in the state
  /// that a daemon would begin with now; writes nothing. Returns nil if the store cannot be opened;
  /// `problems` may explain why.
  package func readingControl(at now: Timestamp) async throws(StoreError) -> JobControl? {
    let reader: any ReadableStore
    do throws(StoreError) { reader = try await StoreOpener.read(store) } catch {
      if problems.isEmpty { throw error }
      return nil
    }
    var mistaken = mistaken
    if config.jobs.isEmpty, !problems.isEmpty {
      mistaken = try await reader.jobs().map { JobConfig(name: $0.name, plugin: $0.plugin) }
    }
    let jobs = try await ScheduledJobs.remembered(
      prepared, unready: unready, mistaken: mistaken, config, in: reader, local: local, now: now,
      abandoned: try await reader.abandoned())
    let registry = HookRegistry()
    registry.set(config.allHooks, lua: hooks)
    return JobControl(
      jobs: jobs, now: { now }, grants: GrantBook(reading: reader, suggested: suggested),
      reader: reader, hooks: registry)
  }

  /// Returns the control that answers `pause` and `resume`, and writes to the store of the
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
