import ArgumentParser
import FetchConfig
import FetchModel
import FetchStore
import FetchValues

/// The options that select the store, for verbs that need only the store of a config.
struct StorePlace: ParsableArguments {
  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  /// Returns the named store, otherwise the config's, otherwise the usual one. A named store makes
  /// the config irrelevant; mistakes elsewhere in the config cause a warning.
  func path(_ output: RunOutput) throws -> String {
    let place = try find(output)
    place.warn(output)
    return place.path
  }

  /// Finds the same store as `path`, without the warning.
  ///
  /// - Parameter advice: the message that follows the problems if the config's store is unreadable.
  func find(
    _ output: RunOutput, advice: String = "to go without the config, add `--store FILE`"
  ) throws -> FoundStore {
    let isConfigured = file.config != nil || Self.usualConfig != nil
    guard storage.store == nil, isConfigured else { return FoundStore(path: storage.path()) }
    let store = try file.loadStore(output, advice: advice)
    return FoundStore(
      path: storage.path(configured: store.path), keep: store.keep, problems: store.problems)
  }

  /// Returns the message for an error; for a missing store, it names the config that names the
  /// store.
  func sentence(_ error: any Error) -> String {
    guard let error = error as? StoreError, error.code == .missing, storage.store == nil,
      let config = ConfigFile.path(file.config, locations: ProcessEnvironment.locations),
      let store = try? Self.configured(config).path
    else { return "\(error)" }
    return "there is no store at \(store), which \(config) names: run a job first, or name another"
      + " with `--store FILE`"
  }

  /// Returns the named store, otherwise that of the usual config, otherwise the usual one. Warns if
  /// the config's store is unreadable.
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

  /// The store of a verb without both options; nil if its config is unreadable.
  static let unnamed: String? = {
    guard let config = usualConfig else { return ProcessEnvironment.locations.store }
    guard let store = try? configured(config) else { return nil }
    return store.path ?? ProcessEnvironment.locations.store
  }()

  /// Returns the private addresses that the usual config allows for all jobs. Returns none if a
  /// store is named, or if the config has mistakes.
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
