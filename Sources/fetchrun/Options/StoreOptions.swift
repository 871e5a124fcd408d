import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The option that names the store. Without the option, the config, the environment or the
/// default path decides, in this order.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "The store's file, or the postgresql:// address of its database (default: `store` of the config, otherwise $FETCHRUN_STORE, otherwise fetchrun/store.sqlite in $XDG_STATE_HOME or ~/.local/state).",
    completion: .file())
  var store: String?

  init() {}

  init(_ plain: FastArguments) {
    store = plain[single: "--store"]
  }

  /// Returns the address of the named store, otherwise of the config's store, otherwise of the
  /// default store.
  func address(configured: ConfiguredStore? = nil) -> StoreAddress {
    guard let store else {
      return ProcessEnvironment.address(of: configured ?? ConfiguredStore.unconfigured)
    }
    let named = StoreAddress(store, ProcessEnvironment.locations)
    // The config may have the password of the database that the user names.
    guard named.isServer else { return named }
    let configured = configured.map(ProcessEnvironment.address) ?? StorePlace.unnamed
    return configured == named ? configured ?? named : named
  }
}

/// The options that select the store, for verbs that need a config only for its store.
struct StorePlace: ParsableArguments {
  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  /// Returns the address of the store: the store that the user named, otherwise the store of the
  /// config, otherwise the default store. If the user named a store, at most the password of its
  /// database is taken from the default config. If other mistakes were found in the config, prints
  /// a warning.
  func address(_ output: RunOutput) throws -> StoreAddress {
    let place = try find(output)
    place.warn(output)
    return place.address
  }

  /// Returns the same store as `address`, but prints no warning.
  ///
  /// - Parameter advice: the message that follows the config's problems if the store's path cannot
  ///   be read from the config.
  func find(
    _ output: RunOutput, advice: String = "to run without the config, add `--store FILE`"
  ) throws -> FoundStore {
    let isConfigured = file.config != nil || Self.usualConfig != nil
    guard storage.store == nil, isConfigured else { return FoundStore(address: storage.address()) }
    let store = try file.loadStore(output, advice: advice)
    return FoundStore(
      address: storage.address(configured: store), keep: store.keep, problems: store.problems,
      config: file.config)
  }

  /// Returns the message for an error. If the store of a config is missing, the message names the
  /// store and the config.
  func sentence(_ error: any Error) -> String {
    guard let error = error as? StoreError, error.code == .missing, storage.store == nil,
      let config = ConfigFile.path(file.config, locations: ProcessEnvironment.locations),
      let store = try? Self.configured(config).path
    else { return "\(error)" }
    return "there is no store at \(store), which \(config) names: run a job first, or name another"
      + " store with `--store FILE`"
  }

  /// Returns the address of the named store, otherwise of the default config's store, otherwise of
  /// the default store. Prints a warning if the store's path cannot be read from that config.
  static func unlessNamed(_ storage: StoreOptions, _ output: RunOutput) -> StoreAddress {
    if storage.store != nil { return storage.address() }
    if let store = unnamed {
      ConfigOptions.nameService(store: store.path, output)
      return store
    }
    let store = storage.address()
    output.message(
      "warning: `store` from \(usualConfig ?? "the config") is not used, because the config or its"
        + " `jobs.d` has mistakes: using \(store); `fetchrun check` lists the mistakes")
    return store
  }

  /// The store of a verb without the options `--config` and `--store`; nil if the store's path
  /// cannot be read from the default config.
  static let unnamed: StoreAddress? = {
    guard let config = usualConfig else {
      return ProcessEnvironment.address(of: ConfiguredStore.unconfigured)
    }
    return (try? configured(config)).map(ProcessEnvironment.address)
  }()

  /// Returns the private addresses that the default config allows for all jobs. Returns none if the
  /// user named a store. Also returns none if the part of the config that was read has mistakes.
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

/// The store that a verb uses, and the problems of the config that names it.
struct FoundStore {
  let address: StoreAddress
  /// The retention of the config, as in `ConfiguredStore.keep`. The value is also nil if the user
  /// named the store.
  var keep: Retention?
  var problems: [ConfigProblem] = []
  /// The config that the user named; nil for the default config.
  var config: String?

  /// Prints a warning with the first of the config's problems, if any, to standard error, even with
  /// `--json`. The command continues.
  func warn(_ output: RunOutput) {
    guard let first = problems.first else { return }
    // The number of mistakes is unknown, since the jobs of the config may not have been read.
    let check = SuggestedCommand(config: config).command("check")
    output.message(
      "warning: only parts of the config are used, since it has a mistake: \(first); `\(check)`"
        + " lists all mistakes")
  }
}
