package import FetchModel

/// A plugin that was read, inspected in a worker and found right.
package struct Plugin: Equatable, Sendable {
  package var path: String
  package var source: PluginSource
  package var manifest: Manifest

  /// Whether it, or what it is built upon, asks for the module `files` or for transfers, as far as
  /// its text tells.
  package var usesFiles: Bool {
    manifest.functions.contains(RunPipeline.transferEntry)
      || ([source.text] + source.libraries.map(\.text)).contains {
        RequiredNames.of($0).contains("files") || $0.contains("ctx:transfer".utf8)
      }
  }
}
