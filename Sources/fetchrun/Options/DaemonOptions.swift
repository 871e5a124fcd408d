import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The options that select the store whose daemon receives a request.
struct DaemonOptions: ParsableArguments {
  @OptionGroup private var place: StorePlace

  var file: ConfigOptions { place.file }
  var storage: StoreOptions { place.storage }

  func store(_ output: RunOutput) throws -> StoreAddress { try place.address(output) }

  func sentence(_ error: any Error) -> String { place.sentence(error) }

  private func find(_ output: RunOutput) throws -> FoundStore {
    try place.find(
      output, advice: "to run without the config, add `--store FILE` with the daemon's store")
  }

  /// Sends the request to the daemon of the store, and calls `show` with each line of its answer.
  /// Without a daemon, `withoutDaemon` handles the request. Throws the exit status if the request
  /// failed.
  func ask(
    _ request: ControlRequest, _ output: RunOutput, show: @escaping @Sendable (Value) -> Void
  ) async throws {
    let place = try find(output)
    await warnOfOtherConfig(request, place, output)
    let end: ControlEnd
    do {
      end = try await ControlClient.send(
        request, at: StateFolder(of: place.address).daemonSockets, line: show)
      await warnOfOtherJobs(request, place, output)
      place.warn(output)
    } catch  where error.code == .noDaemon {
      // If the request needs the whole config, `withoutDaemon` reports the problems of the config.
      if request.substitute != .jobs { place.warn(output) }
      end = await withoutDaemon(request, store: place.address, output, show: show)
    } catch {
      place.warn(output)
      end = .failed(error.message)
    }
    if let message = end.message { output.message(message) }
    let advice = SharedStore.advice(about: end, Self.jobs(of: request)) { storeConfig?.config }
    if let advice { output.message(advice) }
    if end.status != 0 { throw ExitCode(end.status) }
  }

  /// Returns the jobs that a request names; an empty list for a request about all jobs or none.
  private static func jobs(of request: ControlRequest) -> [JobName] {
    switch request {
    case .status(let job?, _), .explain(let job), .permissions(let job): [job]
    case .push(let jobs), .pause(.named(let jobs)), .resume(.named(let jobs)): jobs
    default: []
    }
  }

  /// Prints a warning if the store was last used with another config than `ownConfig`. Only
  /// requests about pauses, pushes and deliveries cause the warning, since their jobs or deliveries
  /// may belong to that config.
  private func warnOfOtherConfig(
    _ request: ControlRequest, _ place: FoundStore, _ output: RunOutput
  ) async {
    switch request {
    case .pause, .resume, .push, .deliveries: break
    default: return
    }
    guard let config = ownConfig else { return }
    await SharedStore.warn(
      store: place.address, config: config, isNamed: storage.store != nil, output)
  }

  /// Prints a warning if the daemon serves another config than `ownConfig`. Only requests that show
  /// jobs or budgets cause the warning.
  private func warnOfOtherJobs(
    _ request: ControlRequest, _ place: FoundStore, _ output: RunOutput
  ) async {
    switch request {
    case .status, .explain, .budget: break
    default: return
    }
    guard let config = ownConfig else { return }
    await SharedStore.warnOfDaemon(
      store: place.address, config: config, isNamed: storage.store != nil, output)
  }

  /// The path of the user's config; nil if the user named only the store, or if there is no config.
  private var ownConfig: String? {
    guard file.config != nil || storage.store == nil else { return nil }
    return ConfigFile.path(file.config, locations: ProcessEnvironment.locations)
  }

  /// The readable parts of the config, and whether they are the whole config. Nil if the user named
  /// only the store.
  var storeConfig: (config: Config, isWhole: Bool)? {
    guard file.config != nil || storage.store == nil else { return nil }
    let found = ConfigFile.inspect(
      file.config, locations: ProcessEnvironment.locations,
      environment: ProcessEnvironment.environment)
    return (found.config, found.problems.isEmpty)
  }

  /// The hooks of the config; nil if the config is unknown or has mistakes.
  var hooks: [HookConfig]? {
    guard let found = storeConfig, found.isWhole else { return nil }
    return found.config.allHooks
  }

  /// Prints how many deliveries are waiting, and how many were given up. A number that is zero is
  /// omitted. Prints nothing if both are zero, or if the store cannot be read.
  func sayDeliveries(_ output: RunOutput) async {
    guard let place = try? find(output),
      let counts = try? await StoreQueries(at: place.address).deliveryCounts()
    else { return }
    var parts: [String] = []
    if counts.pending > 0 { parts.append("\(counts.pending) waiting") }
    if counts.dead > 0 { parts.append("\(counts.dead) given up") }
    if parts.isEmpty { return }
    let listing = SuggestedCommand(file, storage).command("deliveries")
    output.message("deliveries: \(parts.joined(separator: ", ")); see \(listing)")
  }

  /// Sends the request, and calls `show` once with all lines of the answer, for a table. If the
  /// request fails, calls `show` only if lines have arrived, and throws the error.
  func askAll(
    _ request: ControlRequest, _ output: RunOutput, show: ([Value]) -> Void
  ) async throws {
    let lines = Mutex<[Value]>([])
    do {
      try await ask(request, output) { line in lines.withLock { $0.append(line) } }
    } catch {
      let found = lines.withLock { $0 }
      if !found.isEmpty { show(found) }
      throw error
    }
    show(lines.withLock { $0 })
  }
}
