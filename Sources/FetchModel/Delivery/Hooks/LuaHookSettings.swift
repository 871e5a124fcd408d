package import FetchValues

/// A hook file of Lua, run in the sandbox like a plugin.
package struct LuaHookSettings: SinkSettings {
  /// A path, or the name of a hook in the plugin folders' `hooks/`.
  package var file: String
  package var options = ValueObject()
  /// Hostnames it may reach besides those it asks for.
  package var hosts: [HostPattern] = []
  /// What it may touch.
  package var allow = Allowance()
  package var secrets: [GivenSecret] = []
  /// Limits that differ from the defaults, by their names.
  package var limits = ValueObject()

  package init(file: String) { self.file = file }
}

extension LuaHookSettings {
  package var word: String { "lua" }

  package var receiver: String { file.lastName }

  package var secretSources: [SecretSource] { secrets.map(\.source) }

  /// The name of a hook file stays: it is looked up.
  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    var settings = self
    if file.utf8.contains(UInt8(ascii: "/")) { settings.file = resolved(file) }
    for index in secrets.indices {
      settings.secrets[index].source = secrets[index].source.resolvingPaths(resolved)
    }
    return settings
  }
}
