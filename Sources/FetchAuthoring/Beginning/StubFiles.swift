package import FetchConfig
import FetchEngine

/// The functions that write stubs for editors into a folder.
package enum StubFiles {
  /// Writes the stubs and the settings of the Lua language server, except files that already
  /// exist. Adds the new files to `written.files` and the existing files to `written.kept`.
  /// `prefix` is the folder with a slash at its end; an empty string means the working folder.
  static func add(to prefix: String, _ written: inout NewPlugin.Written) throws(ConfigProblem) {
    let stubs = InterfaceStubs.files.map { ("\(InterfaceStubs.folder)/\($0.name)", $0.text) }
    for (name, text) in [(".luarc.json", InterfaceStubs.settings)] + stubs {
      let path = prefix + name
      if NewFile.isThere(path) {
        written.kept.append(path)
      } else {
        try NewFile.write(Array(text.utf8), to: path)
        written.files.append(path)
      }
    }
  }

  /// Writes all stubs and returns their paths. Replaces existing stubs. Throws an error if a file
  /// with a stub's name is not recognized as a stub.
  package static func refresh(in folder: String) throws(ConfigProblem) -> [String] {
    let prefix = folder.isEmpty || folder == "." ? "" : folder + "/"
    let paths = InterfaceStubs.files.map { "\(prefix)\(InterfaceStubs.folder)/\($0.name)" }
    for path in paths where NewFile.isThere(path) {
      guard case .success(let bytes) = FileBytes.read(path, max: 1 << 20),
        bytes.starts(with: InterfaceStubs.mark.utf8)
      else {
        throw ConfigProblem(
          file: path, "is not recognized as a stub of fetchrun; move it elsewhere")
      }
    }
    for (path, file) in zip(paths, InterfaceStubs.files) {
      try ConfigWriter.replace(path, with: file.text)
    }
    return paths
  }
}
