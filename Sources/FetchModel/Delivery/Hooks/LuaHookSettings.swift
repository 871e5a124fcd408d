package import FetchValues

/// The settings of a sink that calls a hook file in Lua. The file runs in the sandbox like a
/// plugin.
package struct LuaHookSettings: SinkSettings {
  /// The path of the hook file, or the name of a hook file in `hooks/` of a plugin folder.
  package var file: String
  package var options = ValueObject()
  /// The hostnames that the hook may reach besides those in its manifest.
  package var hosts: [HostPattern] = []
  /// The permissions that the config gives the hook.
  package var allow = Allowance()
  package var secrets: [GivenSecret] = []
  /// The run limits that the config sets, by name.
  package var limits = ValueObject()

  package init(file: String) { self.file = file }
}

extension LuaHookSettings {
  package var word: String { "lua" }

  package var receiver: String { file.lastName }

  package var secretSources: [SecretSource] { secrets.map(\.source) }

  /// Returns the settings with absolute paths. The name of a hook file without a slash stays
  /// unchanged, because fetchrun looks for the file in the plugin folders.
  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    var settings = self
    if file.utf8.contains(UInt8(ascii: "/")) { settings.file = resolved(file) }
    for index in secrets.indices {
      settings.secrets[index].source = secrets[index].source.resolvingPaths(resolved)
    }
    return settings
  }
}
