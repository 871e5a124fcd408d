package import FetchModel

/// A plugin that was read, inspected in a worker and found right.
package struct Plugin: Equatable, Sendable {
  package var path: String
  package var source: PluginSource
  package var manifest: Manifest

  /// Whether it, or what it is built upon, asks for the module `files`, as far as its text tells.
  package var usesFiles: Bool {
    ([source.text] + source.libraries.map(\.text)).contains {
      RequiredNames.of($0).contains("files")
    }
  }
}
