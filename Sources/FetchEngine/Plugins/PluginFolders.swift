import FetchConfig
package import FetchModel
import FetchStore
import FetchValues

/// The folders in which plugins are found by name, and the folder to which paths in the config are
/// relative.
package struct PluginFolders: Sendable {
  package var folders: [String]
  /// The folder of the config that names the plugins, with a slash at its end; empty if the
  /// config's path has no folder. Nil for a command line.
  package var configFolder: String?

  /// The maximum number of Lua files that one plugin may require, not counting the plugin's own
  /// file.
  package static let librariesMax = 32

  package init(_ folders: [String], configFolder: String? = nil) {
    self.folders = folders
    self.configFolder = configFolder
  }

  /// Loads a plugin. A name with a slash is a path. A name that ends in `.lua` is also a path if
  /// the file exists in the config's folder. For a command line, the working folder is used
  /// instead. Any other name means `NAME.lua`, or `NAME` if the name ends in `.lua`, in the first
  /// plugin folder that has such a file.
  package func load(_ name: String) throws(Failure) -> PluginFile {
    try load(name, in: "", "plugin")
  }

  /// Loads a hook file. Paths are recognised in the same way as in `load`. Any other name means
  /// `hooks/NAME.lua`, or `hooks/NAME` if the name ends in `.lua`, in the first plugin folder that
  /// has this file.
  package func loadHook(_ name: String) throws(Failure) -> PluginFile {
    try load(name, in: "hooks/", "hook file")
  }

  /// A plugin file in a plugin folder.
  package struct Entry: Equatable, Sendable {
    package var name: String
    package var path: String
  }

  private static let entriesMax = 1000

  /// The plugins that can be named without a path, sorted by name; at most `entriesMax` plugins. If
  /// several files have the same name, the list has only the one in the first folder.
  package var entries: [Entry] {
    var paths: [String: String] = [:]
    for folder in folders {
      for file in FileBytes.names(in: folder)
      where file.hasSuffix(".lua") && !file.hasPrefix(".") && paths.count < Self.entriesMax {
        let path = folder + "/" + file
        let name = String(file.dropLast(4))
        if paths[name] == nil, FileBytes.exists(path) { paths[name] = path }
      }
    }
    return paths.sorted { ExactText($0.key) < ExactText($1.key) }
      .map { Entry(name: $0.key, path: $0.value) }
  }

  /// Whether a plugin with this name or at this path exists.
  package func has(_ name: String) -> Bool {
    path(name).map(FileBytes.exists) ?? candidates(name, "").contains(where: FileBytes.exists)
  }

  /// Returns the path that a name means; nil if the plugin folders must be searched for the name.
  func path(_ name: String) -> String? {
    if name.hasSlash { return name }
    let path = (configFolder ?? "") + name
    return name.hasSuffix(".lua") && FileBytes.exists(path) ? path : nil
  }

  /// Returns the name under which grants are stored: the plugin's name, or the path of its file as
  /// `GrantName.of` returns the path.
  func identity(of name: String) -> String {
    path(name).map(GrantName.of(path:)) ?? name
  }

  private func load(
    _ name: String, in subfolder: String, _ kind: String
  ) throws(Failure) -> PluginFile {
    let path = try locate(name, subfolder, kind)
    let text = try read(path)
    let folder = path.lastSlash.map { String(path[..<$0]) } ?? "."
    let fileName = path.lastName
    let stem = fileName.hasSuffix(".lua") ? String(fileName.dropLast(4)) : fileName
    let libraries = try libraries(requiredBy: text, named: stem, path: path, folder: folder)
    return PluginFile(
      path: path,
      source: PluginSource(name: stem, fileName: fileName, text: text, libraries: libraries))
  }

  func candidates(_ name: String, _ subfolder: String) -> [String] {
    let fileName = subfolder + (name.hasSuffix(".lua") ? name : name + ".lua")
    return folders.map { $0 + "/" + fileName }
  }

  private func locate(
    _ name: String, _ subfolder: String, _ kind: String
  ) throws(Failure) -> String {
    if let path = path(name) { return path }
    let candidates = candidates(name, subfolder)
    if let path = candidates.first(where: FileBytes.exists) { return path }
    let stem = name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    let isFile = stem != name
    let place = configFolder.flatMap { $0.isEmpty ? nil : String($0.dropLast()) }
    let here = isFile && (subfolder.isEmpty || place != nil) ? place ?? "this folder" : nil
    let file = subfolder + stem + ".lua"
    // In the config's folder, a hook file is searched for without the subfolder `hooks`.
    let missing =
      subfolder.isEmpty || here == nil
      ? "no \(file) in " + ([here].compactMap(\.self) + folders).joined(separator: ", ")
      : "no \(name) in \(here ?? ""), and no \(file) in \(folders.joined(separator: ", "))"
    let hint = NearestName.hint(stem, among: names(in: subfolder))
    let list = subfolder.isEmpty ? "; `fetchrun plugins` lists the plugins" : ""
    throw Failure(
      .invalidPlugin,
      "no \(kind) '\(name)'\(hint): there is \(missing)\(list)\(strayed(name, from: place))"
        + beside(name))
  }

  /// Returns a clause which says why a file in the working folder is not used for a name in the
  /// config. Returns an empty string if there is no such file.
  private func strayed(_ name: String, from place: String?) -> String {
    guard let place, name.hasSuffix(".lua"), FileBytes.exists(name) else { return "" }
    return
      "; the \(name) in the working folder is not used: a path in a config is relative to the "
      + "config's folder, \(place)"
  }

  /// Returns a clause that names the file for a name without `.lua`, if the working folder has it.
  /// Returns an empty string if there is no such file.
  private func beside(_ name: String) -> String {
    guard !name.isEmpty, !name.hasSlash, !name.hasSuffix(".lua"), FileBytes.exists(name + ".lua")
    else { return "" }
    return "; to use the file \(name).lua in this folder, write ./\(name).lua"
  }

  /// Returns the names of all Lua files in the given subfolder of each plugin folder, without
  /// `.lua`, sorted. If two folders have a file of the same name, the name appears twice.
  func names(in subfolder: String) -> [String] {
    folders.flatMap { FileBytes.names(in: $0 + "/" + subfolder) }.filter { $0.hasSuffix(".lua") }
      .map { String($0.dropLast(4)) }.sorted()
  }

  func read(_ path: String) throws(Failure) -> [UInt8] {
    if let problem = ConfigTrust.problem(ofPlugin: path) {
      throw Failure(.invalidPlugin, problem, file: path)
    }
    switch FileBytes.read(path, max: RunLimits.sourceBytesMax) {
    case .success(let bytes): return try Self.code(bytes, path)
    case .failure(let problem):
      let advice = path.hasPrefix("~") ? "; `~` is not expanded here: write the whole path" : ""
      throw Failure(.invalidPlugin, "cannot read \(path): \(problem)\(advice)", file: path)
    }
  }

  /// Returns the code as Lua's own loader reads it. A UTF-8 byte order mark is removed, and a first
  /// line that begins with `#` becomes a comment. Throws a failure if the text begins with a UTF-16
  /// byte order mark.
  private static func code(_ bytes: [UInt8], _ path: String) throws(Failure) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Failure(
        .invalidPlugin, "\(path) is UTF-16 text; save it as UTF-8", file: path)
    }
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if bytes.first == UInt8(ascii: "#") { bytes.replaceSubrange(0..<1, with: Array("-- ".utf8)) }
    return bytes
  }
}
