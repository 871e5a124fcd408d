package import FetchConfig
import FetchEngine

/// The stubs for editors in a folder with plugins.
package enum StubFiles {
  /// Writes missing stubs and the settings of the Lua language server, and adds them to `written`.
  /// `prefix` is the folder with its slash, or empty.
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

  /// Writes all stubs again. Throws if a file of that name is not fetchrun's.
  package static func refresh(in folder: String) throws(ConfigProblem) -> [String] {
    let prefix = folder.isEmpty || folder == "." ? "" : folder + "/"
    let paths = InterfaceStubs.files.map { "\(prefix)\(InterfaceStubs.folder)/\($0.name)" }
    for path in paths where NewFile.isThere(path) {
      guard case .success(let bytes) = FileBytes.read(path, max: 1 << 20),
        bytes.starts(with: InterfaceStubs.mark.utf8)
      else { throw ConfigProblem(file: path, "is not fetchrun's file; move it away") }
    }
    for (path, file) in zip(paths, InterfaceStubs.files) {
      try ConfigWriter.replace(path, with: file.text)
    }
    return paths
  }
}
