import ArgumentParser
import FetchConfig
import FetchValues
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

  /// Returns the config. If the config has problems, prints them and throws the exit status.
  ///
  /// - Parameters:
  ///   - namesService: whether to call `nameService` for the config.
  ///   - jobs: the jobs that the caller needs; empty for all: see `ConfigFile.inspect`.
  func load(
    _ output: RunOutput, namesService: Bool = true, jobs: [JobName] = []
  ) throws -> Config {
    let found: Config
    do {
      found = try ConfigFile.load(
        config, locations: ProcessEnvironment.locations,
        environment: ProcessEnvironment.environment, jobs: jobs)
    } catch {
      throw output.stopped(by: error)
    }
    if namesService { nameService(store: found.store, output) }
    return found
  }

  /// Prints once that the service's config is in use, and names the store of this config. Prints
  /// nothing if the user has named a config, if another config is in use, or for JSON output.
  ///
  /// - Parameter store: the value of `store` in the config.
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
      "note: using the service's config \(path), whose store is"
        + " \(store ?? ProcessEnvironment.locations.store); to use your own config,"
        + " add --config FILE, or run as another user")
  }

  private static let isServiceNamed = Atomic<Bool>(false)

  /// Returns the config's store and related settings. If no config can be read, or if its mistakes
  /// make the store's path uncertain, prints the problems and `advice`, and throws the exit status.
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

  /// The path of the file to which jobs are added: the file that the user named, otherwise the
  /// existing default file. Without a default file, the path is that of a new file in the working
  /// folder.
  var pathToEdit: String {
    ConfigFile.path(config, locations: ProcessEnvironment.locations)
      ?? ProcessEnvironment.locations.configFiles[0]
  }
}
