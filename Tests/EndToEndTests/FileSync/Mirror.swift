import FetchValues
import Foundation
import Testing

/// A served folder, and a job that mirrors the folder with `plugins/file-sync.lua`.
struct Mirror {
  /// The report of one run.
  struct Run {
    /// The outcome of the run, such as `newData +2 ~1 -0`, `noData sameBody` or `failed: why`.
    var outcome: String
    var requestCount: Int64
    /// The change of each item by the item's id, which is the path of the file. The item's
    /// `problem` follows the change, if there is a problem. `gone` follows if the source no longer
    /// has the file.
    var changes: [String: String]
    /// The lines on standard error, without lines about permissions.
    var messages: [String]
  }

  let program: Program
  /// The path of the served folder on the disk.
  let source: String
  /// The address of the served folder.
  var address: String
  /// The folder of the mirror.
  var copy: String
  /// The options of the plugin in every run.
  var options: [String: String] = [:]
  /// The values of the plugin's secrets by name, which are passed in the environment.
  var secrets: [String: String] = [:]
  /// The command that starts the program.
  var launcher: [String] = []

  /// Creates a mirror of the folder at `source`. Without an address, the plugin reads the folder
  /// itself.
  init(source: String? = nil, address: String? = nil) throws {
    program = try Program()
    self.source = source ?? program.folder.path + "/source"
    self.address = address ?? "file://" + self.source
    copy = program.folder.path + "/copy"
    try FileManager.default.createDirectory(atPath: self.source, withIntermediateDirectories: true)
  }

  func remove() { program.remove() }

  // MARK: The source

  /// Writes a file of the source. The default modification time is in the past, as of most real
  /// files.
  func write(_ path: String, _ text: String, at seconds: Double = 1_700_000_000) throws {
    try Self.write(source + "/" + path, text, at: seconds)
  }

  func writeCopy(_ path: String, _ text: String) throws {
    try Self.write(copy + "/" + path, text, at: 1_600_000_000)
  }

  private static func write(_ path: String, _ text: String, at seconds: Double) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
  }

  /// Rounds the modification times in the copy down to multiples of `step` seconds, as some file
  /// systems do.
  func loseTimes(to step: Double) throws {
    for path in try texts().keys {
      let file = URL(filePath: copy + "/" + path)
      let time = try file.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate?.timeIntervalSince1970
      try setTime(of: path, to: (try #require(time) / step).rounded(.down) * step)
    }
  }

  /// Sets the modification time of a file in the copy, in seconds since 1970.
  func setTime(of path: String, to seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: copy + "/" + path)
  }

  func delete(_ path: String) throws {
    try FileManager.default.removeItem(atPath: source + "/" + path)
  }

  // MARK: Runs

  func run(_ options: [String: String] = [:]) throws -> Run {
    var arguments = [
      "--plugin", Program.top.path + "/plugins/file-sync.lua", "--job", "mirror", "--json",
      "--option", "source=" + address, "--allow-private", "--allow-read", source, "--files-root",
      copy,
    ]
    for (name, value) in self.options.merging(options, uniquingKeysWith: { $1 }) {
      arguments += ["--option", "\(name)=\(value)"]
    }
    for name in secrets.keys { arguments += ["--secret", "\(name)=env:SECRET_\(name)"] }
    let environment = secrets.map { ("SECRET_" + $0, $1) }
    let ending = try program.start(
      arguments, environment: Dictionary(uniqueKeysWithValues: environment), launcher: launcher
    ).wait()
    var run = Run(outcome: "", requestCount: 0, changes: [:], messages: [])
    for line in ending.lines {
      let value = try JSONReader.decode(line)
      if value["outcome"] != nil {
        run.outcome = Self.outcome(value)
        run.requestCount = value["requests"]?.integerValue ?? 0
      } else if let id = value["id"]?.stringValue {
        let problem = value["fields"]?["problem"]?.stringValue.map { ": " + $0 } ?? ""
        let gone = value["fields"]?["gone"] == .bool(true) ? ": gone" : ""
        run.changes[id] = (value["change"]?.stringValue ?? "") + problem + gone
      }
    }
    run.messages = ending.messages.split(separator: "\n").map(String.init)
      .filter { !$0.contains(" may reach ") && !$0.contains(" may read ") }
    return run
  }

  private static func outcome(_ line: Value) -> String {
    func count(_ name: String) -> Int64 { line[name]?.integerValue ?? -1 }
    switch line["outcome"]?.stringValue {
    case "newData": return "newData +\(count("added")) ~\(count("updated")) -\(count("removed"))"
    case "noData": return "noData \(line["reason"]?.stringValue ?? "")"
    default: return "failed: \(line["failure"]?["message"]?.stringValue ?? "")"
    }
  }

  // MARK: What lies there

  /// Returns the contents of all files in a folder by the bytes of their paths. Partial files are
  /// excluded.
  static func files(_ root: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    let walk = FileManager.default.enumerator(atPath: root)
    while let path = walk?.nextObject() as? String {
      if path.hasPrefix(".fetchrun-partial") { continue }
      if walk?.fileAttributes?[.type] as? FileAttributeType != .typeRegular { continue }
      // The key is not the path itself, because Swift treats texts as equal that differ in their
      // bytes.
      files[Array(path.utf8).description] = try Data(contentsOf: URL(filePath: root + "/" + path))
    }
    return files
  }

  /// Returns the contents of the copy's files by path, as strings.
  func texts() throws -> [String: String] {
    var texts: [String: String] = [:]
    let walk = FileManager.default.enumerator(atPath: copy)
    while let path = walk?.nextObject() as? String {
      guard !path.hasPrefix(".fetchrun-partial"),
        let text = try? String(contentsOfFile: copy + "/" + path, encoding: .utf8)
      else { continue }
      texts[path] = text
    }
    return texts
  }

  func isSame() throws -> Bool { try Self.files(source) == Self.files(copy) }
}
