import ArgumentParser
import FetchConfig
import Synchronization

/// Which config file, for verbs that read it.
struct ConfigOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "The config file (default: fetchrun.yaml in this folder, otherwise ~/.config/fetchrun/fetchrun.yaml, otherwise, for root, /etc/fetchrun/fetchrun.yaml).",
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  init() {}

  init(_ plain: FastArguments) {
    config = plain[single: "--config"]
  }

  /// The config; its problems are said, and end the program.
  ///
  /// - Parameter namesService: see `nameService`.
  func load(_ output: RunOutput, namesService: Bool = true) throws -> Config {
    let found: Config
    do {
      found = try ConfigFile.load(
        config, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment
      )
    } catch {
      throw output.stopped(by: error)
    }
    if namesService { nameService(store: found.store, output) }
    return found
  }

  /// Says which config and store are used, where root has named no config and gets that of the service.
  ///
  /// - Parameter store: as the config has it.
  func nameService(store: String?, _ output: RunOutput) {
    guard config == nil else { return }
    Self.nameService(store: store, output)
  }

  static func nameService(store: String?, _ output: RunOutput) {
    let path = Locations.systemConfig
    guard !output.asJSON, ConfigFile.path(nil, locations: ProcessEnvironment.locations) == path,
      !isServiceNamed.exchange(true, ordering: .relaxed)
    else { return }
    output.message(
      "note: using the service's config \(path) and its store"
        + " \(store ?? ProcessEnvironment.locations.store); to use your own, add --config FILE, or run"
        + " as another user")
  }

  private static let isServiceNamed = Atomic<Bool>(false)

  /// The config's store alone. Where it cannot be told, problems are as with `load`, and `advice`
  /// follows them.
  func loadStore(_ output: RunOutput, advice: String) throws -> ConfiguredStore {
    do {
      let found = try ConfigFile.store(
        config, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment
      )
      nameService(store: found.path, output)
      return found
    } catch {
      let code = output.stopped(by: error)
      output.message(advice)
      throw code
    }
  }

  /// The file to add to: the named one, else the usual one, else a new one here.
  var pathToEdit: String {
    ConfigFile.path(config, locations: ProcessEnvironment.locations)
      ?? ProcessEnvironment.locations.configFiles[0]
  }
}
