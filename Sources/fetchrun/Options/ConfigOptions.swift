import ArgumentParser
import FetchConfig

/// Which config file, for verbs that read it.
struct ConfigOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "The config file (default: fetchrun.yaml in this folder, otherwise ~/.config/fetchrun/fetchrun.yaml, otherwise, for root, /etc/fetchrun/fetchrun.yaml).",
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  init() {}

  init(_ plain: PlainWords) {
    config = plain[single: "--config"]
  }

  /// The config; its problems are said, and end the program.
  func load(_ output: RunOutput) throws -> Config {
    do {
      return try ConfigFile.load(
        config, locations: Surroundings.locations, environment: Surroundings.environment)
    } catch {
      throw output.stopped(by: error)
    }
  }

  /// The config's store alone. Where it cannot be told, problems are as with `load`, and `advice`
  /// follows them.
  func loadStore(_ output: RunOutput, advice: String) throws -> ConfiguredStore {
    do {
      return try ConfigFile.store(
        config, locations: Surroundings.locations, environment: Surroundings.environment)
    } catch {
      let code = output.stopped(by: error)
      output.message(advice)
      throw code
    }
  }

  /// The file to add to: the named one, else the usual one, else a new one here.
  var pathToEdit: String {
    ConfigFile.path(config, locations: Surroundings.locations)
      ?? Surroundings.locations.configFiles[0]
  }
}
