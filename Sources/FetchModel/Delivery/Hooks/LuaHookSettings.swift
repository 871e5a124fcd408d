package import FetchValues

/// A hook file in Lua, which runs in the sandbox like a plugin.
package struct LuaHookSettings: SinkSettings {
  /// The path, or the name of a hook in the plugin folders' `hooks/`.
  package var file: String
  package var options = ValueObject()
  /// The hostnames that it may reach besides those that it asks for.
  package var hosts: [HostPattern] = []
  /// The permissions that it may get.
  package var allow = Allowance()
  package var secrets: [GivenSecret] = []
  /// The limits that differ from the defaults, by name.
  package var limits = ValueObject()

  package init(file: String) { self.file = file }
}

extension LuaHookSettings {
  package var word: String { "lua" }

  package var receiver: String { file.lastName }

  package var secretSources: [SecretSource] { secrets.map(\.source) }

  /// Returns the settings with absolute paths; the plain name of a hook file stays, because it is
  /// looked up.
  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    var settings = self
    if file.utf8.contains(UInt8(ascii: "/")) { settings.file = resolved(file) }
    for index in secrets.indices {
      settings.secrets[index].source = secrets[index].source.resolvingPaths(resolved)
    }
    return settings
  }
}
