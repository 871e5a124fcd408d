package import FetchConfig
package import FetchModel

/// Brings the Lua hooks of a config together with their files, which are read once.
package struct HookPreparation: Sendable {
  private let shelf: PluginShelf
  /// All hooks may reach these, whatever the config says.
  private let privateAddresses: PrivateAddresses
  private let memory: GrantMemory

  /// - Parameter memory: as for jobs: a hook whose file has changed, and needs now what the config does
  ///   not have, is not called; its deliveries wait.
  package init(
    shelf: PluginShelf, privateAddresses: PrivateAddresses = .none,
    memory: GrantMemory = GrantMemory(store: nil)
  ) {
    self.shelf = shelf
    self.privateAddresses = privateAddresses
    self.memory = memory
  }

  /// Every problem of the files, their options and their secrets is reported at once.
  package func prepare(_ hooks: [HookConfig]) async throws(ConfigProblems) -> LuaHooks {
    var prepared = LuaHooks()
    var problems: [ConfigProblem] = []
    for hook in hooks {
      guard case .lua(let settings) = hook.sink else { continue }
      do throws(ConfigProblems) {
        prepared.append(try await prepare(hook, settings), of: hook)
      } catch { problems += error.all }
    }
    guard problems.isEmpty else { throw ConfigProblems(problems) }
    return prepared
  }

  private func prepare(
    _ config: HookConfig, _ settings: LuaHookSettings
  ) async throws(ConfigProblems) -> LuaHook {
    let claimant = try await claimant(config, settings)
    guard claimant.problems.isEmpty || memory.hasChanged(claimant.job, of: claimant.holder) else {
      throw ConfigProblems(claimant.problems.map { problem(of: config, $0.configMessage) })
    }
    let hook = LuaHook(claimant.job)
    let problems = HookEvents.problems(of: config, with: hook)
    guard problems.isEmpty else { throw ConfigProblems(problems) }
    return hook
  }

  /// A hook as its file asks for grants, or as another one would in its place.
  package func claimant(
    _ config: HookConfig, _ settings: LuaHookSettings, with other: String? = nil
  ) async throws(ConfigProblems) -> GrantClaimant {
    var file: Plugin
    do throws(PluginProblems) { file = try await shelf.hook(named: other ?? settings.file) } catch {
      throw ConfigProblems(error.all.map { problem(of: config, "\($0)") })
    }
    file.name = PluginFolders.identity(of: settings.file)
    return GrantClaimant(.hook(config.name), definition(config.name, settings), with: file)
  }

  private func definition(_ name: String, _ settings: LuaHookSettings) -> JobDefinition {
    var definition = JobDefinition(
      plugin: settings.file, name: name,
      options: settings.options.members.map { .value(name: $0.key, value: $0.value) })
    definition.holdsToGrant = true
    definition.allow = settings.allow
    definition.allow.privateAddresses = settings.allow.privateAddresses.union(privateAddresses)
    definition.hosts = settings.hosts
    definition.secrets = settings.secrets
    definition.limits = settings.limits
    return definition
  }

  private func problem(of hook: HookConfig, _ message: String) -> ConfigProblem {
    hook.problem(message)
  }
}
