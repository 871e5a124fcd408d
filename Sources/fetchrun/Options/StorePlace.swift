import ArgumentParser
import FetchConfig
import FetchModel
import FetchStore
import FetchValues

/// Which store, for verbs that need no more of a config than its store.
struct StorePlace: ParsableArguments {
  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  /// The named store, else that of the config where there is one, else the usual one. A config is not
  /// read where the store is named; mistakes elsewhere in it are a warning.
  func path(_ output: RunOutput) throws -> String {
    let place = try find(output)
    place.warn(output)
    return place.path
  }

  /// The same, without the warning. `advice` is for a config whose store cannot be told.
  func find(
    _ output: RunOutput, advice: String = "with --store FILE the config is not needed"
  ) throws -> FoundStore {
    let isConfigured = file.config != nil || Self.usualConfig != nil
    guard storage.store == nil, isConfigured else { return FoundStore(path: storage.path()) }
    let store = try file.loadStore(output, advice: advice)
    return FoundStore(
      path: storage.path(configured: store.path), keep: store.keep, problems: store.problems)
  }

  /// What is to be said of an error: a store that is not there is said with the config that names it.
  func sentence(_ error: any Error) -> String {
    guard let error = error as? StoreError, error.code == .missing, storage.store == nil,
      let config = ConfigFile.path(file.config, locations: ProcessEnvironment.locations),
      let store = try? Self.configured(config).path
    else { return "\(error)" }
    return "there is no store at \(store), which \(config) names: run a job first, or name another"
      + " with `--store FILE`"
  }

  /// The store of a command that takes nothing else of a config: the named store, else that of the
  /// usual config, else the usual one. Where the config's cannot be told, a warning says so.
  static func unlessNamed(_ storage: StoreOptions, _ output: RunOutput) -> String {
    if let named = storage.store { return named }
    if let path = unnamed {
      ConfigOptions.nameService(store: path, output)
      return path
    }
    let path = storage.path()
    output.message(
      "warning: cannot read the store from \(usualConfig ?? "the config"), which has mistakes:"
        + " using \(path); `fetchrun check` lists the mistakes")
    return path
  }

  /// Where a verb looks that is given neither option; nil where its config cannot be read.
  static let unnamed: String? = {
    guard let config = usualConfig else { return ProcessEnvironment.locations.store }
    guard let store = try? configured(config) else { return nil }
    return store.path ?? ProcessEnvironment.locations.store
  }()

  /// The private addresses that the usual config allows all jobs, for a command that takes its store from
  /// there; none where a store is named, or the config has mistakes.
  static func privateAddresses(_ storage: StoreOptions) -> PrivateAddresses {
    guard storage.store == nil, let config = usualConfig else { return .none }
    return (try? configured(config))?.privateAddresses ?? .none
  }

  private static func configured(_ config: String) throws(ConfigProblems) -> ConfiguredStore {
    try ConfigFile.store(
      config, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment)
  }

  private static var usualConfig: String? {
    ConfigFile.path(nil, locations: ProcessEnvironment.locations)
  }
}
