import ArgumentParser
import FetchConfig
import Synchronization

/// The option that names the config file.
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

  /// Returns the config. Prints its problems and throws the exit status if it has any.
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

  /// Names the config and the store once if root has named no config and uses the service's.
  ///
  /// - Parameter store: the value in the config.
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

  /// Returns only the config's store. If it cannot be read, prints the problems as `load` does,
  /// then `advice`.
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

  /// The file to add jobs to: the named one, otherwise the usual one, otherwise a new one in the
  /// working folder.
  var pathToEdit: String {
    ConfigFile.path(config, locations: ProcessEnvironment.locations)
      ?? ProcessEnvironment.locations.configFiles[0]
  }
}
