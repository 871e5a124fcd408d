import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore

/// What the verbs about grants speak of: jobs of the config, with what the store remembers of them,
/// and plugins.
struct GrantSubjects: Sendable {
  enum Subject: Sendable {
    case job(PreparedJob)
    case plugin(Plugin)
  }

  /// nil where there is no config file.
  private let config: Config?
  private let shelf: PluginShelf
  let storePath: String

  /// Says what keeps the body from its work, and ends the program with its status.
  static func with(
    _ file: ConfigOptions, _ storage: StoreOptions, _ output: RunOutput,
    _ body: (GrantSubjects) async throws -> Void
  ) async throws {
    let isThere =
      file.config != nil || ConfigFile.path(nil, locations: Surroundings.locations) != nil
    let config = isThere ? try file.load(output) : nil
    let services: Services
    do {
      services = try Services.start(
        NetworkOptions.none, pluginFolders: config?.pluginFolders ?? [])
    } catch {
      throw output.stopped(by: error)
    }
    let subjects = GrantSubjects(
      config: config, shelf: services.shelf,
      storePath: storage.path(configured: config?.store))
    let ending: (any Error)?
    do {
      try await body(subjects)
      ending = nil
    } catch {
      ending = error
    }
    await services.shutdown()
    switch ending {
    case nil: break
    case let code as ExitCode: throw code
    case let error as ValidationError: throw error
    case let error?: throw output.stopped(by: error)
    }
  }

  /// A job where the config has one of that name, else a plugin.
  func named(_ name: String) async throws -> Subject {
    if let job = config?.jobs.first(where: { ExactText($0.name) == ExactText(name) }) {
      return .job(try await JobPreparation(shelf: shelf).prepare(job))
    }
    return .plugin(try await plugin(name))
  }

  func job(named name: String) async throws -> PreparedJob {
    if let config, let problem = JobPreparation.unknown([name], in: config).first {
      throw ConfigProblems([problem])
    }
    guard let job = config?.jobs.first(where: { ExactText($0.name) == ExactText(name) }) else {
      let places = Surroundings.locations.configFiles.joined(separator: ", ")
      throw ConfigProblems([
        ConfigProblem(file: "fetchrun.yaml", "there is no config file; looked for \(places)")
      ])
    }
    return try await JobPreparation(shelf: shelf).prepare(job)
  }

  func plugin(_ name: String) async throws(PluginProblems) -> Plugin {
    try await shelf.plugin(named: name)
  }

  /// A job with another file in the place of its plugin's.
  func job(_ prepared: PreparedJob, with file: String) async throws -> Job {
    var plugin = try await plugin(file)
    plugin.name = prepared.job.plugin.name
    var definition = JobDefinition(prepared.config)
    definition.holdsToGrant = true
    return try definition.job(with: plugin)
  }

  /// Nil where nothing is remembered.
  func grant(of prepared: PreparedJob) throws(StoreError) -> PinnedGrant? {
    let job = prepared.job
    do {
      return try StoreReader(at: storePath).grant(of: job.name, plugin: job.plugin.name)
    } catch {
      if error.code == .missing { return nil }
      throw error
    }
  }

  func permissions(of prepared: PreparedJob) throws(StoreError) -> JobPermissions {
    JobPermissions(
      prepared.job, JobDefinition(prepared.config), try grant(of: prepared),
      now: RunTime.system.now())
  }
}
