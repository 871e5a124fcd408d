import Foundation

/// The program fetchrun in this program's folder. Its store and its config are in a separate
/// folder.
struct Product {
  private(set) var binary: URL
  let plugins: URL
  let scratch: URL

  /// Creates the value for the built program; nil if fetchrun was not built.
  init?(scratch: URL) {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    binary = folder.appending(path: "fetchrun")
    var root = folder
    while root.path != "/",
      !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path)
    {
      root.deleteLastPathComponent()
    }
    plugins = root.appending(path: "plugins")
    self.scratch = scratch
    guard FileManager.default.isExecutableFile(atPath: binary.path) else { return nil }
  }

  /// Copies the programs into a folder, as an installation does. A start of the file that the linker
  /// has just written takes 1 to 2 ms more than a start of a copy, and has 5 % more page faults.
  func installed() throws -> Product {
    let folder = scratch.appending(path: "installed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var copy = self
    copy.binary = folder.appending(path: "fetchrun")
    for name in ["fetchrun", "fetchrun-worker"] {
      let source = binary.deletingLastPathComponent().appending(path: name)
      try ChildProcess("cp", [source.path, folder.path]).wait().check("cp")
    }
    return copy
  }

  var plugin: URL { plugins.appending(path: "rss.lua") }
  var store: URL { scratch.appending(path: "store.sqlite") }
  private var settings: URL { scratch.appending(path: "fetchrun.yaml") }
  var records: URL { scratch.appending(path: "runs.jsonl") }
  private var answers: URL { scratch.appending(path: "answers.jsonl") }
  private var messages: URL { scratch.appending(path: "messages.txt") }

  func forgetStore() {
    for suffix in ["", "-wal", "-shm", "-lock", ".lock"] { unlink(store.path + suffix) }
  }

  /// Writes a config with a job `f<number>` for each address. Without `gap`, requests to a hostname
  /// follow each other immediately, as in the floor, because waiting is not measured.
  ///
  /// - Parameters:
  ///   - more: further lines of the config.
  ///   - address: the address of the store; nil for a file.
  func configure(
    urls: [String], interval: String? = nil, gap: String = "0s", more: String = "",
    store address: String? = nil
  ) throws -> URL {
    let interval = interval.map { "    interval: \"\($0)\"\n" } ?? ""
    var text = """
      store: \(address ?? store.path)
      plugins: [\(plugins.path)]
      allow_private: true
      lanes: {"*": {gap: \(gap)}}
      \(more)
      jobs:

      """
    for (number, url) in urls.enumerated() {
      text += "  - name: f\(number)\n    plugin: rss\n    options: {url: \"\(url)\"}\n"
      text += interval
    }
    try text.write(to: settings, atomically: false, encoding: .utf8)
    return settings
  }

  /// Writes a config with one job that mirrors an address into a folder.
  func configureMirror(of url: String, kind: String, in folder: URL) throws -> URL {
    let text = """
      store: \(store.path)
      plugins: [\(plugins.path)]
      allow_private: true
      lanes: {"*": {gap: 0s, connections: 4}}
      jobs:
        - name: mirror
          plugin: file-sync
          options: {source: "\(url)", kind: \(kind)}
          files: {root: "\(folder.path)"}
      """
    try text.write(to: settings, atomically: false, encoding: .utf8)
    return settings
  }

  /// The content of the file to which `serve`, `run` and `start` write their messages.
  var messageText: String { (try? String(contentsOf: messages, encoding: .utf8)) ?? "" }

  /// Starts the daemon. Returns when the daemon serves.
  func serve(config: URL) throws -> ChildProcess {
    let process = try ChildProcess(
      binary.path, ["serve", "--config", config.path, "--json"], output: records, errors: messages)
    let start = ContinuousClock.now
    while !messageText.contains("serving ") {
      guard ContinuousClock.now - start < .seconds(60) else {
        process.kill()
        throw BenchmarkError("serve did not begin to serve: \(messageText.prefix(2_000))")
      }
      usleep(ChildProcess.samplingMicroseconds)
    }
    return process
  }

  /// Requests the status of all jobs from the daemon.
  func status(config: URL) throws -> Usage {
    let usage = try ChildProcess(
      binary.path, ["status", "--config", config.path, "--json"], output: answers
    ).wait()
    try usage.check("fetchrun status")
    return usage
  }

  /// Starts `fetchrun run`, which makes the daemon run all jobs and ends after the runs.
  func runByDaemon(config: URL) throws -> ChildProcess {
    try ChildProcess(binary.path, ["run", "--config", config.path, "--json"], output: answers)
  }

  /// Returns the sequence number of the last change of a store.
  func lastSequence(of store: String) throws -> Int {
    try ChildProcess(
      binary.path, ["store", "info", "--json", "--store", store], output: answers
    ).wait().check("fetchrun store info")
    let text = try String(contentsOf: answers, encoding: .utf8)
    guard let number = text.firstMatch(of: /"sequence":(\d+)/).flatMap({ Int($0.1) }) else {
      throw BenchmarkError("store info shows no sequence: \(text)")
    }
    return number
  }

  /// Reads the changes of a store after a sequence number.
  func changes(of store: String, since number: Int) throws -> Usage {
    let usage = try ChildProcess(
      binary.path,
      ["items", "--json", "--limit", "0", "--store", store, "--since", String(number)],
      output: answers
    ).wait()
    try usage.check("fetchrun items")
    return usage
  }

  func run(config: URL) throws -> (usage: Usage, records: [RunLine]) {
    let process = try ChildProcess(
      binary.path, ["run", "--config", config.path, "--json"], output: records, errors: messages)
    let usage = try process.wait(sampling: true)
    let lines = try RunLine.lines(of: Data(contentsOf: records))
    if usage.exitStatus != 0 {
      report("fetchrun ended with exit status \(usage.exitStatus): \(messageText.prefix(2_000))")
    }
    return (usage, lines)
  }

  /// Starts `fetchrun --plugin` as a person types it.
  func start(url: String) throws -> ChildProcess {
    try ChildProcess(
      binary.path,
      [
        "--plugin", plugin.path, "--option", "url=\(url)", "--store", store.path, "--allow-private",
      ],
      errors: messages)
  }

  /// Starts `fetchrun --plugin` with another plugin that stores files below `filesRoot`.
  func start(plugin: URL, url: String, filesRoot: URL) throws -> ChildProcess {
    try ChildProcess(
      binary.path,
      [
        "--plugin", plugin.path, "--option", "url=\(url)", "--store", store.path,
        "--files-root", filesRoot.path, "--allow-private",
      ],
      errors: messages)
  }

  /// Starts `fetchrun run` for all jobs of a config.
  func start(config: URL, parallel: Int) throws -> ChildProcess {
    try ChildProcess(
      binary.path,
      ["run", "--config", config.path, "--json", "--parallel", String(parallel)],
      output: records, errors: messages)
  }
}
