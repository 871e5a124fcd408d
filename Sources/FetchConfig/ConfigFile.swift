import FetchModel

#if canImport(Glibc)
  import Glibc
#endif

/// Finds and reads the config file.
package enum ConfigFile {
  /// No config anyone writes comes near; 100,000 jobs have some 15 MB.
  package static let bytesMax = 64 << 20

  /// The named file, else the first of the usual places that is there. Relative paths in the file
  /// are resolved from the file's folder.
  package static func load(
    _ named: String?, locations: Locations
  ) throws(ConfigProblems) -> Config {
    guard let path = named ?? locations.configFiles.first(where: isThere) else {
      let places = locations.configFiles.joined(separator: ", ")
      throw ConfigProblems([
        ConfigProblem(file: "fetchrun.yaml", "there is no config file; looked for \(places)")
      ])
    }
    var config = try ConfigReader.read(try text(of: path), file: path).get()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? ""
    config.store = config.store.map { resolved($0, from: folder) }
    config.pluginFolders = config.pluginFolders.map { resolved($0, from: folder) }
    for index in config.jobs.indices {
      config.jobs[index].readPaths = config.jobs[index].readPaths.map { resolved($0, from: folder) }
      if config.jobs[index].plugin.contains("/") {
        config.jobs[index].plugin = resolved(config.jobs[index].plugin, from: folder)
      }
    }
    return config
  }

  private static func resolved(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  private static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

  private static func text(of path: String) throws(ConfigProblems) -> String {
    func problem(_ message: String) -> ConfigProblems {
      ConfigProblems([ConfigProblem(file: path, message)])
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw problem("cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw problem("cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      bytes += chunk[..<count]
      guard bytes.count <= bytesMax else { throw problem("is larger than \(bytesMax) bytes") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("is not UTF-8 text")
    }
    return text
  }
}
