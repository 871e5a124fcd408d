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
    let (config, problems) = try config(for: request, output)
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
    for request: ControlRequest, _ output: RunOutput
  ) throws -> (Config, [ConfigProblem]) {
    guard request.isShown else { return (try file.load(output), []) }
    let found = ConfigFile.inspect(
      file.config, locations: ProcessEnvironment.locations,
      environment: ProcessEnvironment.environment)
    if found.problems.isEmpty { file.nameService(store: found.config.store, output) }
    return (found.config, found.problems)
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
      guard let control = try await jobs.readingControl(at: services.time.now()) else {
        return end
      }
      output.message("no daemon is running on \(address); showing the last known state")
      let answered = await control.answer(request) { show($0) }
      return answered.status == 0 ? end : answered
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
