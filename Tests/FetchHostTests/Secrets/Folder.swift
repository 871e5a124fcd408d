import FetchHost
import FetchValues
import Foundation

/// A folder of one test, which is removed when the test releases this object.
final class Folder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-secrets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: file))
    try setMode(name, mode)
    return file
  }

  func setMode(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: path + "/" + name)
  }

  func mode(_ name: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func vault(key: String = "secrets.key") -> SecretVault {
    SecretVault(path: path + "/secrets.json", keyPath: path + "/" + key)
  }
}
