import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The jobs of a config as the store remembers them, for verbs that find no daemon.
struct StoredSchedule {
  let file: ConfigOptions
  let store: String
  let output: RunOutput
  let suggested: SuggestedCommand

  func answer(
    _ request: ControlRequest, show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    let found = try config(for: request)
    let config = found.config
    let services = try Services.start(
      NetworkOptions.none, folders: Services.folders(of: config), sandbox: config.sandbox)
    do {
      let end = try await answer(request, found, services, show: show)
      await services.shutdown()
      return end
    } catch {
      await services.shutdown()
      throw error
    }
  }

  /// A config with mistakes is good enough for what is shown of the store.
  private func config(
    for request: ControlRequest
  ) throws -> (config: Config, problems: [ConfigProblem]) {
    switch request {
    case .status, .explain:
      let found = ConfigFile.inspect(
        file.config, locations: ProcessEnvironment.locations,
        environment: ProcessEnvironment.environment)
      if found.problems.isEmpty { file.nameService(store: found.config.store, output) }
      return found
    default: return (try file.load(output), [])
    }
  }

  private func answer(
    _ request: ControlRequest, _ found: (config: Config, problems: [ConfigProblem]),
    _ services: Services, show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    let preparation = JobPreparation(
      shelf: services.shelf, memory: GrantMemory(store: .file(store)))
    let (config, isShown) = (found.config, request.isShown)
    var prepared: [PreparedJob] = []
    var unready: [String] = []
    var mistaken: [JobConfig] = []
    var problems = found.problems
    let hooks = (try? await preparation.hooks(of: config)) ?? LuaHooks()
    for job in config.jobs {
      do throws(ConfigProblems) {
        let ready =
          job.isEnabled
          ? try await preparation.prepareToFail(job) : try await preparation.prepare(job)
        prepared.append(hooks.joined(to: ready))
      } catch {
        if job.isEnabled && !isShown { throw error }
        if job.isEnabled {
          problems += error.all
          mistaken.append(job)
        } else {
          unready.append(job.name)
        }
      }
    }
    let line: @Sendable (Value) async -> Void = { show($0) }
    switch request {
    case .pause, .resume:
      output.message("no daemon is running on \(store)")
      let store = try await Services.openStore(store, output)
      let service = try await JobService(
        config, pipeline: services.pipeline(store, suggested: suggested), noting: .never,
        local: SystemZones.local,
        events: output.events)
      try await service.load(
        prepared, unready: unready, local: SystemZones.local,
        abandoned: try await store.recover().abandonedJobs)
      let end = await service.control(reload: { .done }).answer(request, line: line)
      try await store.close()
      return end
    default:
      output.problems(ConfigProblems(problems))
      let end = ControlEnd(status: problems.isEmpty ? 0 : ExitStatus.badPlugin.rawValue)
      let now = services.time.now()
      let reader: any ReadableStore
      do throws(StoreError) { reader = try await StoreOpener.read(.file(store)) } catch {
        if problems.isEmpty { throw error }
        return end
      }
      if config.jobs.isEmpty, !problems.isEmpty {
        mistaken = try await reader.jobs().map { JobConfig(name: $0.name, plugin: $0.plugin) }
      }
      let jobs = try await ScheduledJobs.remembered(
        prepared, unready: unready, mistaken: mistaken, config, in: reader,
        local: SystemZones.local, now: now, abandoned: try await reader.abandoned())
      output.message("no daemon is running on \(store); showing the last known state")
      let book = HookRegistry()
      book.set(config.allHooks, lua: hooks)
      let answered = await JobControl(
        jobs: jobs, now: { now }, grants: GrantBook(reading: reader, suggested: suggested),
        reader: reader, hooks: book
      )
      .answer(request, line: line)
      return answered.status == 0 ? end : answered
    }
  }
}

extension ControlRequest {
  /// Whether it only shows jobs.
  fileprivate var isShown: Bool {
    switch self {
    case .status, .explain: true
    default: false
    }
  }
}
