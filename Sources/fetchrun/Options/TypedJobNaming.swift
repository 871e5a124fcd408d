import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The naming of jobs that `--plugin` runs without `--job`.
struct TypedJobNaming {
  private let naming: JobNaming
  private let plugin: Plugin

  init(_ storage: StoreOptions, _ plugin: Plugin) {
    self.plugin = plugin
    naming = JobNaming(store: .file(storage.path())) { [store = storage.path()] in Self.jobs(store)
    }
  }

  /// Returns the jobs of the usual config if it uses the same store, since a job that has not run
  /// yet is in no store. Ignores a config with mistakes.
  private static func jobs(_ store: String) -> [JobConfig] {
    let locations = ProcessEnvironment.locations
    guard ConfigFile.path(nil, locations: locations) != nil,
      let config = try? ConfigFile.load(
        nil, locations: locations, environment: ProcessEnvironment.environment),
      ProcessEnvironment.absolute(config.store ?? locations.store)
        == ProcessEnvironment.absolute(store)
    else { return [] }
    return config.jobs
  }

  func named(_ definition: JobDefinition) async -> JobDefinition {
    var definition = definition
    definition.name = await naming.name(of: definition, with: plugin)
    return definition
  }

  /// Reserves the name for the job in the store, which was opened after the name was chosen.
  func claim(
    _ name: String, of definition: JobDefinition, in store: any Store
  ) async throws {
    if try await naming.claim(name, of: definition, with: plugin, in: store) { return }
    throw Failure(
      .storeUnavailable, "another command took the job name '\(name)' first: run the command again")
  }
}
