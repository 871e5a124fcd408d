import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The subjects of the verbs about grants: plugins, jobs and hooks, with their stored grants.
struct GrantSubjects: Sendable {
  enum Subject: Sendable {
    case claimant(GrantClaimant)
    case plugin(Plugin)
    /// A job that is only in the store, with its stored grants.
    case kept([KeptPermissions])
  }

  /// The config; nil if there is no config file.
  private let config: Config?
  private let shelf: PluginShelf
  let store: StoreAddress
  private let suggested: SuggestedCommand

  /// Runs the body with the subjects. If an error stops the body, prints the error and throws its
  /// exit status. A `ValidationError` or an exit status is thrown unchanged.
  ///
  /// - Parameter jobs: the jobs that the body needs; empty for all: see `ConfigFile.inspect`.
  static func with(
    _ file: ConfigOptions, _ storage: StoreOptions, _ output: RunOutput, jobs: [JobName],
    _ body: (GrantSubjects) async throws -> Void
  ) async throws {
    let isThere =
      file.config != nil || ConfigFile.path(nil, locations: ProcessEnvironment.locations) != nil
    let config = isThere ? try file.load(output, jobs: jobs) : nil
    let services: Services
    do {
      services = try Services.start(
        NetworkOptions.none, folders: Services.folders(config?.pluginFolders ?? []),
        sandbox: config?.sandbox ?? .required)
    } catch {
      throw output.stopped(by: error)
    }
    let subjects = GrantSubjects(
      config: config, shelf: services.shelf,
      store: storage.address(configured: config?.configuredStore),
      suggested: SuggestedCommand(file, storage))
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

  /// Returns the subject with the given name. With `isHook`, it is a hook of the config. Otherwise
  /// it is a job of the config, a job with grants in the store or a plugin, in this order. A name
  /// with a slash never means a job of the store.
  func named(_ name: String, isHook: Bool) async throws -> Subject {
    if isHook { return .claimant(try await hook(named: HookName(name))) }
    if let job = config?.jobs.first(where: { $0.name == JobName(name) }) {
      return .claimant(try await claimant(job))
    }
    let kept = name.utf8.contains(UInt8(ascii: "/")) ? [] : try await kept(JobName(name))
    return kept.isEmpty ? .plugin(try await plugin(name)) : .kept(kept)
  }

  private func kept(_ job: JobName) async throws(StoreError) -> [KeptPermissions] {
    var kept: [KeptPermissions] = []
    for grant in try await queries()?.grants(of: job) ?? [] {
      kept.append(KeptPermissions(of: job, grant, now: try? await plugin(grant.plugin)))
    }
    return kept
  }

  /// Returns the queries of the store; nil if there is no store yet.
  private func queries() async throws(StoreError) -> StoreQueries? {
    do { return try await StoreQueries(at: store) } catch {
      if error.code == .missing { return nil }
      throw error
    }
  }

  func claimant(named name: String, isHook: Bool) async throws -> GrantClaimant {
    if isHook { return try await hook(named: HookName(name)) }
    let (name, config) = (JobName(name), try written())
    guard let job = config.jobs.first(where: { $0.name == name }) else {
      throw ConfigProblems(JobPreparation.unknown([name], in: config))
    }
    return try await claimant(job)
  }

  private func written() throws(ConfigProblems) -> Config {
    if let config { return config }
    throw ConfigProblems([ConfigFile.missing(ProcessEnvironment.locations)])
  }

  /// Returns the claimant for the job. If `file` is given, its plugin replaces the plugin of the
  /// job's config.
  private func claimant(_ job: JobConfig, with file: String? = nil) async throws -> GrantClaimant {
    var plugin = try await JobPreparation(shelf: shelf).plugin(of: job)
    if let file {
      let name = plugin.name
      plugin = try await self.plugin(file)
      plugin.name = name
    }
    return GrantClaimant(.job(job.name), job, with: plugin, hooks: config?.allHooks ?? [])
  }

  private func hook(
    named name: HookName, with file: String? = nil
  ) async throws(ConfigProblems) -> GrantClaimant {
    let config = try written()
    for hook in config.allHooks where hook.name == name {
      guard case .lua(let settings) = hook.sink else {
        throw ConfigProblems([
          ConfigProblem(
            file: hook.file, line: hook.place.line, column: hook.place.column,
            "hook '\(name)' has no hook file, so there is nothing to grant")
        ])
      }
      return try await HookPreparation(shelf: shelf).claimant(hook, settings, with: file)
    }
    let hint = NearestName.hint(name.text, among: config.allHooks.map(\.name.text))
    throw ConfigProblems([ConfigProblem(file: config.file, "no hook '\(name)'\(hint)")])
  }

  func plugin(_ name: String) async throws(PluginProblems) -> Plugin {
    try await shelf.plugin(named: name)
  }

  /// Returns the claimant with `file` in place of its plugin file or hook file. Returns the
  /// claimant unchanged if the config has no such job.
  func claimant(_ claimant: GrantClaimant, with file: String) async throws -> GrantClaimant {
    switch claimant.holder {
    case .hook(let name): return try await hook(named: name, with: file)
    case .job(let name):
      let job = try written().jobs.first { $0.name == name }
      guard let job else { return claimant }
      return try await self.claimant(job, with: file)
    }
  }

  func grant(of claimant: GrantClaimant) async throws(StoreError) -> PinnedGrant? {
    try await queries()?.grant(of: claimant)
  }

  func permissions(of claimant: GrantClaimant) async throws(StoreError) -> JobPermissions {
    JobPermissions(
      claimant, try await grant(of: claimant), suggested: suggested, now: RunTime.system.now())
  }
}
