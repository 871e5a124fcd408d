package import FetchConfig
package import FetchModel
import FetchValues

/// The preparation of a config's Lua hooks, which combines each hook with its file.
package struct HookPreparation: Sendable {
  private let shelf: PluginShelf
  /// The private addresses that all hooks may reach, regardless of the config.
  private let privateAddresses: PrivateAddresses
  private let memory: GrantMemory
  private let machine: MachineFacts

  /// - Parameters:
  ///   - memory: the stored grants. A hook whose changed file needs something that the config lacks
  ///     is not called, and its deliveries wait.
  ///   - machine: the facts for the advice about missing secrets.
  package init(
    shelf: PluginShelf, privateAddresses: PrivateAddresses = .none,
    memory: GrantMemory = GrantMemory(store: nil), machine: MachineFacts = MachineFacts()
  ) {
    self.shelf = shelf
    self.privateAddresses = privateAddresses
    self.memory = memory
    self.machine = machine
  }

  /// Prepares the Lua hooks. Throws one error that contains the problems of all Lua hooks.
  ///
  /// - Parameter standingIn: whether hook files that do not load are tolerated. Their hooks are not
  ///   called, and their deliveries wait.
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

  /// Tries again to load the files that did not load, and returns the hooks. A hook stays unchanged
  /// if its file had loaded, or if no worker could inspect its file.
  package func prepareAgain(_ hooks: LuaHooks) async -> LuaHooks {
    await hooks.replacingUnloaded { config, settings in
      do throws(PluginProblems) { _ = try await shelf.hook(named: settings.file) } catch {
        if error.isOfHost { return nil }
        return await failing(error.failure, config, settings)
      }
      do throws(ConfigProblems) { return try await prepare(config, settings) } catch {
        return await failing(Failure(.invalidOption, error.description), config, settings)
      }
    }
  }

  private func prepare(
    _ config: HookConfig, _ settings: LuaHookSettings
  ) async throws(ConfigProblems) -> LuaHook {
    let claimant = try await claimant(config, settings)
    if !claimant.problems.isEmpty, await !memory.hasChanged(claimant.job, of: claimant.holder) {
      let setting = machine.setting("NAME")
      throw ConfigProblems(
        claimant.problems.map { problem(of: config, $0.configMessage(setting: setting)) })
    }
    let hook = LuaHook(claimant.job)
    let problems = HookEvents.problems(of: config, with: hook)
    guard problems.isEmpty else { throw ConfigProblems(problems) }
    return hook
  }

  /// Returns the claimant for the hook, with the hook's own file or with the file `other`.
  package func claimant(
    _ config: HookConfig, _ settings: LuaHookSettings, with other: String? = nil
  ) async throws(ConfigProblems) -> GrantClaimant {
    var file: Plugin
    do throws(PluginProblems) { file = try await shelf.hook(named: other ?? settings.file) } catch {
      throw ConfigProblems(error.all.map { problem(of: config, "\($0)") })
    }
    file.name = shelf.identity(of: settings.file)
    return GrantClaimant(.hook(config.name), job(config.name, settings), with: file)
  }

  /// Returns the config of a job that is made from the hook's file.
  private func job(_ name: HookName, _ settings: LuaHookSettings) -> JobConfig {
    var job = JobConfig(name: JobName(name.text), plugin: settings.file)
    job.options = settings.options
    job.allow = settings.allow
    job.allow.privateAddresses = settings.allow.privateAddresses.union(privateAddresses)
    job.hosts = settings.hosts
    job.secrets = settings.secrets
    job.limits = settings.limits
    return job
  }

  private func problem(of hook: HookConfig, _ message: String) -> ConfigProblem {
    hook.problem(message)
  }
}
