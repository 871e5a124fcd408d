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
  let followUp: FollowUp

  func answer(
    _ request: ControlRequest, show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    let config = try file.load(output)
    switch request {
    case .pause, .resume: output.message("no daemon is running on \(store)")
    default: output.message("no daemon is running on \(store); showing the last known state")
    }
    let services = try Services.start(
      NetworkOptions.none, folders: Services.folders(of: config), sandbox: config.sandbox)
    do {
      let end = try await answer(request, config, services, show: show)
      await services.shutdown()
      return end
    } catch {
      await services.shutdown()
      throw error
    }
  }

  private func answer(
    _ request: ControlRequest, _ config: Config, _ services: Services,
    show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    let preparation = JobPreparation(
      shelf: services.shelf, memory: GrantMemory(store: .file(store)))
    var prepared: [PreparedJob] = []
    var unready: [String] = []
    let hooks = (try? await preparation.hooks(of: config)) ?? LuaHooks()
    for job in config.jobs {
      do throws(ConfigProblems) {
        let ready =
          job.isEnabled
          ? try await preparation.prepareToFail(job) : try await preparation.prepare(job)
        prepared.append(hooks.joined(to: ready))
      } catch {
        if job.isEnabled { throw error }
        unready.append(job.name)
      }
    }
    let line: @Sendable (Value) async -> Void = { show($0) }
    switch request {
    case .pause, .resume:
      let store = try await Services.openStore(store, output)
      let service = try await JobService(
        config, pipeline: services.pipeline(store, followUp: followUp), noting: .never,
        local: SystemZones.local,
        logger: output.message)
      try await service.load(
        prepared, unready: unready, local: SystemZones.local,
        abandoned: try await store.recover().abandonedJobs)
      let end = await service.control(reload: { .done }).answer(request, line: line)
      try await store.close()
      return end
    default:
      let now = services.time.now()
      let reader = try await StoreOpener.read(.file(store))
      let jobs = try await ScheduledJobs.remembered(
        prepared, unready: unready, config, in: reader, local: SystemZones.local, now: now,
        abandoned: try await reader.abandoned())
      let book = HookBook()
      book.set(config.allHooks, lua: hooks)
      return await JobControl(
        jobs: jobs, now: { now }, grants: GrantControl(reading: reader, followUp: followUp),
        reader: reader, hooks: book
      )
      .answer(request, line: line)
    }
  }
}
