package import FetchValues

/// A hook file of Lua, run in the sandbox like a plugin.
package struct LuaHookSettings: Equatable, Sendable {
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
