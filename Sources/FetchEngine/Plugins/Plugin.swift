package import FetchModel

/// A plugin that was read, inspected in a worker and found right.
package struct Plugin: Equatable, Sendable {
  package var path: String
  package var source: PluginSource
  package var manifest: Manifest
}
