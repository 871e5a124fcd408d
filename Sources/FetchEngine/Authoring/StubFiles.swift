package import FetchConfig

/// The stubs for editors in a folder with plugins.
package enum StubFiles {
  /// Writes them anew. Throws where one is there that is not ours.
  package static func refresh(in folder: String) throws(ConfigProblem) -> [String] {
    let prefix = folder.isEmpty || folder == "." ? "" : folder + "/"
    let paths = InterfaceStubs.files.map { "\(prefix)\(InterfaceStubs.folder)/\($0.name)" }
    for path in paths where NewFile.isThere(path) {
      guard case .success(let bytes) = FileBytes.read(path, max: 1 << 20),
        bytes.starts(with: InterfaceStubs.mark.utf8)
      else { throw ConfigProblem(file: path, "is not one of fetchrun's; move it away") }
    }
    for (path, file) in zip(paths, InterfaceStubs.files) {
      try ConfigWriter.replace(path, with: file.text)
    }
    return paths
  }
}
