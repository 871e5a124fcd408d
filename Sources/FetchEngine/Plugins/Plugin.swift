package import FetchModel

/// A plugin that was read, inspected in a worker and found right.
package struct Plugin: Equatable, Sendable {
  /// As the user named it: a name, or a path.
  package var name: String
  package let path: String
  package let source: PluginSource
  package let manifest: Manifest
  /// Whether it, or what it is built upon, asks for the module `files` or for transfers, as far as
  /// its text tells; a run of one that does not is given neither.
  package let usesFiles: Bool
  /// What the file asks for, by its own words.
  package let asked: AskedPermissions

  package init(named name: String, _ file: PluginFile, _ manifest: Manifest) {
    self.name = name
    path = file.path
    source = file.source
    self.manifest = manifest
    usesFiles = Self.usesFiles(file.source, manifest)
    asked = AskedPermissions(manifest, keepsFiles: usesFiles)
  }

  private static func usesFiles(_ source: PluginSource, _ manifest: Manifest) -> Bool {
    manifest.functions.contains(RunPipeline.transferEntry)
      || ([source.text] + source.libraries.map(\.text)).contains { text in
        RequiredNames.of(text).contains("files") || asksForTransfers(text)
      }
  }

  /// Whether `transfer` stands behind a colon, a dot or a quote: whatever the plugin calls its `ctx`.
  /// The standard search for a part of a collection takes 30 times as long, at each start.
  private static func asksForTransfers(_ text: [UInt8]) -> Bool {
    let word = Array("transfer".utf8), marks = Array(":.\"'".utf8)
    return text.indices.dropFirst().contains { index in
      text[index] == word[0] && marks.contains(text[index - 1])
        && text[index...].starts(with: word)
    }
  }
}
