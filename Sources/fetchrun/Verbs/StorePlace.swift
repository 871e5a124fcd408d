import ArgumentParser
import FetchConfig
import FetchModel

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

  /// Where a verb looks that is given neither option; nil where its config cannot be read.
  static var unnamed: String? {
    guard usualConfig != nil else { return Surroundings.locations.store }
    do throws(ConfigProblems) {
      let store = try ConfigFile.store(
        nil, locations: Surroundings.locations, environment: Surroundings.environment)
      return store.path ?? Surroundings.locations.store
    } catch {
      return nil
    }
  }

  private static var usualConfig: String? {
    ConfigFile.path(nil, locations: Surroundings.locations)
  }
}
