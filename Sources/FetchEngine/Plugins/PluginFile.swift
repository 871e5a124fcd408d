package import FetchModel

/// A plugin's file as it was read, with the Lua files that it requires.
package struct PluginFile: Equatable, Sendable {
  /// As found, for messages: `plugins/reuters.lua`.
  package var path: String
  package var source: PluginSource
}
