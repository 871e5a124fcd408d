import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The handling of requests if there is no daemon. This process reads or changes the store itself,
/// or sends the request to a command that waits for its transfers. A request that only a daemon can
/// answer fails.
extension DaemonOptions {
  func withoutDaemon(
    _ request: ControlRequest, store: StoreAddress, _ output: RunOutput,
    show: @escaping @Sendable (Value) -> Void
  ) async -> ControlEnd {
    do {
      return switch request.substitute {
      case .jobs: try await withJobs(request, store, output, show)
      case .store: try await withStore(request, store, output, show)
      case nil: .noDaemon(on: store, SuggestedCommand(file, storage))
      }
    } catch let problems as ConfigProblems {
      output.problems(problems)
      return ControlEnd(status: ExitStatus.badPlugin.rawValue)
    } catch let code as ExitCode {
      return ControlEnd(status: code.rawValue)
    } catch {
      return .failed(sentence(error))
    }
  }

  // MARK: The store alone

  private func withStore(
    _ request: ControlRequest, _ address: StoreAddress, _ output: RunOutput,
    _ show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    if case .transfers = request {
      // A command that waits for its transfers has the store open. If there is such a command, it
      // receives the request.
      do throws(ControlError) {
        let sockets = StateFolder(of: address).transferSockets
        return try await ControlClient.send(request, at: sockets, line: show)
      } catch { if error.code != .noDaemon { throw error } }
    }
    let store = try await Services.openStore(address, creates: false, output)
    let control = StoreControl(
      store, rates: hooks.map(HookRates.init) ?? .unknown,
      suggested: SuggestedCommand(file, storage), folder: folders)
    let end = await control.answer(request) { show($0) }
    try await store.close()
    return end
  }

  /// A function that returns the folder for a job's files; nil if the config sets none.
  private var folders: @Sendable (JobName) -> String? {
    let roots = (storeConfig?.config.jobs ?? []).map { (name: $0.name, root: $0.files.root) }
    return { job in roots.first { $0.name == job }?.root }
  }

  // MARK: The jobs of the config

  private func withJobs(
    _ request: ControlRequest, _ address: StoreAddress, _ output: RunOutput,
    _ show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    let (config, problems) = try await config(for: request, address, output)
    let services = try Services.start(
      NetworkOptions.none, folders: Services.folders(of: config), sandbox: config.sandbox)
    let ending: Result<ControlEnd, any Error>
    do {
      let jobs = try await StoredJobs(
        config, problems: problems, toleratesMistakes: request.isShown, store: address,
        shelf: services.shelf, local: SystemZones.local,
        suggested: SuggestedCommand(file, storage))
      ending = .success(try await answer(request, from: jobs, address, services, output, show))
    } catch {
      ending = .failure(error)
    }
    await services.shutdown()
    return try ending.get()
  }

  /// Returns the config. If the request may use a config with mistakes, also returns the problems.
  /// For any other request, prints the problems of such a config and throws the exit status.
  private func config(
    for request: ControlRequest, _ address: StoreAddress, _ output: RunOutput
  ) async throws -> (Config, [ConfigProblem]) {
    guard request.isShown else { return (try file.load(output), []) }
    if await hasOnlyStore(address) { return (Config(), []) }
    let found = ConfigFile.inspect(
      file.config, locations: ProcessEnvironment.locations,
      environment: ProcessEnvironment.environment)
    if found.problems.isEmpty { file.nameService(store: found.config.store, output) }
    return (found.config, found.problems)
  }

  /// Whether there is no config, but a store with jobs. These jobs are shown without a config.
  private func hasOnlyStore(_ address: StoreAddress) async -> Bool {
    guard ConfigFile.path(file.config, locations: ProcessEnvironment.locations) == nil else {
      return false
    }
    return (try? await StoreOpener.read(address).jobs().isEmpty) == false
  }

  private func answer(
    _ request: ControlRequest, from jobs: StoredJobs, _ address: StoreAddress, _ services: Services,
    _ output: RunOutput, _ show: @escaping @Sendable (Value) -> Void
  ) async throws -> ControlEnd {
    switch request {
    case .pause, .resume:
      output.message("no daemon is running on \(address)")
      let store = try await Services.openStore(address, output)
      let pipeline = services.pipeline(store, suggested: SuggestedCommand(file, storage))
      let control = try await jobs.writingControl(pipeline, events: output.events)
      let end = await control.answer(request) { show($0) }
      try await store.close()
      return end
    default:
      output.problems(ConfigProblems(jobs.problems))
      let end = ControlEnd(status: jobs.problems.isEmpty ? 0 : ExitStatus.badPlugin.rawValue)
      let now = services.time.now()
      guard let control = try await control(for: request, from: jobs, address, at: now, output)
      else { return end }
      let answered = await control.answer(request) { show($0) }
      return answered.status == 0 ? end : answered
    }
  }

  /// Returns the `JobControl` that answers a request without writing, and prints which state it
  /// shows. Returns nil if the problems of the jobs are the whole answer. The store that the user
  /// named must exist.
  private func control(
    for request: ControlRequest, from jobs: StoredJobs, _ address: StoreAddress, at now: Timestamp,
    _ output: RunOutput
  ) async throws(StoreError) -> JobControl? {
    do throws(StoreError) {
      guard let control = try await jobs.readingControl(at: now) else { return nil }
      output.message("no daemon is running on \(address); showing the last known state")
      return control
    } catch {
      guard error.code == .missing, request.isShown, storage.store == nil else { throw error }
      output.message(
        "no daemon is running, and there is no store at \(address) yet; showing the jobs of the"
          + " config")
      return try await jobs.controlBeforeStore(at: now)
    }
  }
}

extension ControlRequest {
  /// Whether the request can be answered from a config with mistakes.
  fileprivate var isShown: Bool {
    switch self {
    case .status, .explain: true
    default: false
    }
  }
}
