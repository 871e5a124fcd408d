import ArgumentParser
import FetchConfig
import FetchModel

/// Which store, for verbs that need no more of a config than its store.
struct StorePlace: ParsableArguments {
  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  /// The named store, else that of the config where there is one, else the usual one. A config is not
  /// read where the store is named.
  func path(_ output: RunOutput) throws -> String {
    let isConfigured = file.config != nil || Self.usualConfig != nil
    guard storage.store == nil, isConfigured else { return storage.path() }
    return storage.path(configured: try file.loadStore(output))
  }

  /// Where a verb looks that is given neither option; nil where its config cannot be read.
  static var unnamed: String? {
    guard usualConfig != nil else { return Surroundings.locations.store }
    do throws(ConfigProblems) {
      let store = try ConfigFile.store(
        nil, locations: Surroundings.locations, environment: Surroundings.environment)
      return store ?? Surroundings.locations.store
    } catch {
      return nil
    }
  }

  private static var usualConfig: String? {
    ConfigFile.path(nil, locations: Surroundings.locations)
  }
}
