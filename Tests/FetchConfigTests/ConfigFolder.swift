import FetchConfig
import Foundation

/// A folder with config files. The test that creates the folder removes it.
struct ConfigFolder {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-config-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    let file = URL(filePath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  var mainFile: String { path + "/fetchrun.yaml" }

  func load(_ environment: [String: String] = [:]) throws(ConfigProblems) -> Config {
    let locations = Locations(environment: [:], executable: "")
    return try ConfigFile.load(mainFile, locations: locations, environment: environment)
  }

  /// Returns all problems, without the folder's path. The list is empty if the config is valid.
  func problems(_ environment: [String: String] = [:]) -> [String] {
    do {
      _ = try load(environment)
      return []
    } catch { return error.all.map { $0.description.replacing(path + "/", with: "") } }
  }

  /// Returns the problems of one main file.
  static func problems(
    _ text: String, environment: [String: String] = [:]
  ) throws -> [String] {
    let folder = try ConfigFolder(["fetchrun.yaml": text])
    defer { folder.remove() }
    return folder.problems(environment)
  }

  static func load(_ text: String, environment: [String: String] = [:]) throws -> Config {
    let folder = try ConfigFolder(["fetchrun.yaml": text])
    defer { folder.remove() }
    return try folder.load(environment)
  }
}
