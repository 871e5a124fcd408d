package import FetchConfig
package import FetchModel
import FetchValues

/// The combination of a config's Lua hooks with their files, which are read once.
package struct HookPreparation: Sendable {
  private let shelf: PluginShelf
  /// The private addresses that all hooks may reach, regardless of the config.
  private let privateAddresses: PrivateAddresses
  private let memory: GrantMemory

  /// - Parameter memory: as for jobs: a hook whose changed file needs something that the config
  ///   lacks is not called; its deliveries wait.
  package init(
    shelf: PluginShelf, privateAddresses: PrivateAddresses = .none,
    memory: GrantMemory = GrantMemory(store: nil)
  ) {
    self.shelf = shelf
    self.privateAddresses = privateAddresses
    self.memory = memory
  }

  /// Prepares the hooks; throws the problems of all files, options and secrets together.
  ///
  /// - Parameter standingIn: whether a hook whose file does not load becomes a stand-in that is not
  ///   called, with waiting deliveries, instead of a problem.
  package func prepare(
    _ hooks: [HookConfig], standingIn: Bool = false
  ) async throws(ConfigProblems) -> LuaHooks {
    var prepared = LuaHooks()
    var problems: [ConfigProblem] = []
    for hook in hooks {
      guard case .lua(let settings) = hook.sink else { continue }
      do throws(ConfigProblems) {
        let made =
          standingIn
          ? try await prepareToFail(hook, settings) : try await prepare(hook, settings)
        prepared.append(made, of: hook)
      } catch { problems += error.all }
    }
    guard problems.isEmpty else { throw ConfigProblems(problems) }
    return prepared
  }

  private func prepareToFail(
    _ config: HookConfig, _ settings: LuaHookSettings
  ) async throws(ConfigProblems) -> LuaHook {
    do throws(PluginProblems) { _ = try await shelf.hook(named: settings.file) } catch {
      if !error.isOfHost { return await failing(error.failure, config, settings) }
    }
    return try await prepare(config, settings)
  }

  private func failing(
    _ failure: Failure, _ config: HookConfig, _ settings: LuaHookSettings
  ) async -> LuaHook {
    LuaHook(
      failing: failure, config.name, file: settings.file,
      functions: await shelf.likelyFunctions(ofHook: settings.file))
  }

  /// Returns the hooks after loading the unloaded files again; the others stay unchanged.
  package func prepareAgain(_ hooks: LuaHooks) async -> LuaHooks {
    await hooks.replacingUnloaded { config, settings in
      do throws(ConfigProblems) { return try await prepareToFail(config, settings) } catch {
        let text = error.all.map(\.description).joined(separator: "; ")
        return await failing(Failure(.invalidOption, text), config, settings)
      }
    }
  }

  private func prepare(
    _ config: HookConfig, _ settings: LuaHookSettings
  ) async throws(ConfigProblems) -> LuaHook {
    let claimant = try await claimant(config, settings)
    if !claimant.problems.isEmpty, await !memory.hasChanged(claimant.job, of: claimant.holder) {
      throw ConfigProblems(claimant.problems.map { problem(of: config, $0.configMessage) })
    }
    let hook = LuaHook(claimant.job)
    let problems = HookEvents.problems(of: config, with: hook)
    guard problems.isEmpty else { throw ConfigProblems(problems) }
    return hook
  }

  /// Returns the hook as a claimant with its file, or with a replacement.
  package func claimant(
    _ config: HookConfig, _ settings: LuaHookSettings, with other: String? = nil
  ) async throws(ConfigProblems) -> GrantClaimant {
    var file: Plugin
    do throws(PluginProblems) { file = try await shelf.hook(named: other ?? settings.file) } catch {
      throw ConfigProblems(error.all.map { problem(of: config, "\($0)") })
    }
    file.name = shelf.identity(of: settings.file)
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
