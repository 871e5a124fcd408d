package import FetchConfig
package import FetchModel

/// Brings the Lua hooks of a config together with their files, which are read once.
package struct HookPreparation: Sendable {
  private let shelf: PluginShelf
  /// All hooks may reach private addresses, whatever the config says.
  private let allowsPrivate: Bool

  package init(shelf: PluginShelf, allowsPrivate: Bool = false) {
    self.shelf = shelf
    self.allowsPrivate = allowsPrivate
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
    let file: Plugin
    do throws(PluginProblems) { file = try await shelf.hook(named: settings.file) } catch {
      throw ConfigProblems(error.all.map { problem(of: config, "\($0)") })
    }
    var definition = JobDefinition(
      plugin: settings.file, name: config.name,
      options: settings.options.members.map { .value(name: $0.key, value: $0.value) })
    definition.allow.privateAddresses = PrivateAddresses(settings.allowsPrivate || allowsPrivate)
    definition.hosts = settings.hosts
    definition.secrets = settings.secrets
    definition.limits = settings.limits
    do throws(OptionProblems) {
      var hook = try definition.hook(with: file)
      hook.name = config.name
      return hook
    } catch {
      throw ConfigProblems(error.all.map { problem(of: config, $0.configMessage) })
    }
  }

  private func problem(of hook: HookConfig, _ message: String) -> ConfigProblem {
    ConfigProblem(
      file: hook.file, line: hook.place.line, column: hook.place.column,
      "hook '\(hook.name)': \(message)")
  }
}
