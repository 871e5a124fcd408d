import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// Which daemon to ask, for verbs that ask one: that of the store.
struct DaemonOptions: ParsableArguments {
  @OptionGroup private var place: StorePlace

  var file: ConfigOptions { place.file }
  var storage: StoreOptions { place.storage }

  func storePath(_ output: RunOutput) throws -> String { try place.path(output) }

  func sentence(_ error: any Error) -> String { place.sentence(error) }

  private func find(_ output: RunOutput) throws -> FoundStore {
    try place.find(output, advice: "to ask the daemon without the config, add --store FILE")
  }

  /// Asks the daemon of the store, and calls `show` with each line of its answer. Ends the program
  /// when the request failed or there is no daemon.
  func ask(
    _ request: ControlRequest, _ output: RunOutput, show: @escaping @Sendable (Value) -> Void
  ) async throws {
    let place = try find(output)
    await warnOfOtherConfig(request, place, output)
    let end: ControlEnd
    do {
      end = try await ControlClient.send(
        request, at: StateFolder(of: .file(place.path)).daemonSockets, line: show)
      place.warn(output)
    } catch  where error.code == .noDaemon {
      // Who needs the whole config then says all that is wrong with it.
      if request.substitute != .jobs { place.warn(output) }
      end = await withoutDaemon(request, store: place.path, output, show: show)
    } catch {
      place.warn(output)
      end = .failed(error.message)
    }
    if let message = end.message { output.message(message) }
    if end.status != 0 { throw ExitCode(end.status) }
  }

  /// Warns that a job or a hook of the same name may be another config's.
  private func warnOfOtherConfig(
    _ request: ControlRequest, _ place: FoundStore, _ output: RunOutput
  ) async {
    switch request {
    case .pause, .resume, .push, .deliveries: break
    default: return
    }
    guard file.config != nil || storage.store == nil,
      let config = ConfigFile.path(file.config, locations: ProcessEnvironment.locations)
    else { return }
    await SharedStore.warn(
      store: place.path, config: config, isNamed: storage.store != nil, output)
  }

  /// The config of the store, as far as it can be read; nil where the store alone is named.
  var storeConfig: (config: Config, isWhole: Bool)? {
    guard file.config != nil || storage.store == nil else { return nil }
    let found = ConfigFile.inspect(
      file.config, locations: ProcessEnvironment.locations,
      environment: ProcessEnvironment.environment)
    return (found.config, found.problems.isEmpty)
  }

  /// The hooks of the store's config; nil where it is unknown or has faults.
  var hooks: [HookConfig]? {
    guard let found = storeConfig, found.isWhole else { return nil }
    return found.config.allHooks
  }

  /// Says how many deliveries wait, and how many were given up; nothing where there are none.
  func sayDeliveries(_ output: RunOutput) async {
    guard let place = try? find(output),
      let counts = try? await StoreQueries(at: .file(place.path)).deliveryCounts()
    else { return }
    var parts: [String] = []
    if counts.pending > 0 { parts.append("\(counts.pending) waiting") }
    if counts.dead > 0 { parts.append("\(counts.dead) failed permanently") }
    if parts.isEmpty { return }
    let listing = SuggestedCommand(file, storage).command("deliveries")
    output.message("deliveries: \(parts.joined(separator: ", ")); see \(listing)")
  }

  /// Calls `show` with all lines at once, for what is shown as a table: also with those that came before
  /// the request failed.
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
