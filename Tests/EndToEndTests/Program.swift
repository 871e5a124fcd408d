import FetchConfig
import FetchEngine
import FetchStore
import FetchTestSupport
import Foundation

/// The built `fetchrun`, run as a user runs it, with its own state folder.
struct Program {
  /// The program's working folder, which `remove` deletes.
  let folder: URL
  /// The address of the default store in a new database. The value is nil for a store in a file.
  let database: String?

  /// The store for tests that name one in their config: the database, or a file in the folder.
  var store: String { database ?? folder.path + "/store.sqlite" }

  /// The store for commands that name none.
  var usualStore: String { database ?? folder.path + "/fetchrun/store.sqlite" }

  /// Returns the folder of a job's files, for a job in a config with `store` or `usualStore`.
  func files(of job: String, besides store: String) -> String {
    guard let database else { return String(store.dropLast("store.sqlite".count)) + "files/" + job }
    let locations = Locations(environment: ["XDG_STATE_HOME": folder.path], executable: "")
    return StateFolder(of: StoreAddress(database, locations)).filesFolder + "/" + job
  }

  /// Whether the programs of the tests use a PostgreSQL server, unless a test names its store. The
  /// environment variable `FETCHRUN_TEST_STORE` decides.
  static let usesPostgres =
    ProcessInfo.processInfo.environment["FETCHRUN_TEST_STORE"] == "postgresql"

  struct Ending {
    var status: Int32
    var output: String
    var messages: String
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path in FETCHRUN_TESTED, otherwise the path of the executable beside the test bundle,
  /// otherwise the path of the executable in `.build/debug`.
  static let executable: URL = {
    if let path = ProcessInfo.processInfo.environment["FETCHRUN_TESTED"] {
      return URL(filePath: path)
    }
    let bundle = URL(filePath: CommandLine.arguments[0])
    let beside = bundle.deletingLastPathComponent().appending(path: "fetchrun")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return top.appending(path: ".build/debug/fetchrun")
  }()

  static let isForRelease = executable.path.contains("/release/")

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = Self.usesPostgres ? try PostgresServer.shared?.newDatabase().path : nil
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Writes a file to the test's folder.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// The environment of started programs, without the tester's own variables.
  var environment: [String: String] {
    let worker = Self.executable.deletingLastPathComponent().appending(path: "fetchrun-worker")
    var environment = [
      "HOME": folder.path, "XDG_STATE_HOME": folder.path, "PATH": "/usr/bin:/bin",
      "FETCHRUN_WORKER": worker.path,
    ]
    environment["FETCHRUN_STORE"] = database
    return environment
  }

  /// Starts the program. `launcher` is a command, with arguments, that executes the program.
  func start(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
    launcher: [String] = []
  ) throws -> Running {
    try start(
      command: launcher + [Self.executable.path] + arguments, environment: environment, input: input
    )
  }

  /// Starts any command with the same folder and environment.
  func start(
    command: [String], environment: [String: String] = [:], input: String? = nil
  ) throws -> Running {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = Self.top
    process.environment = self.environment.merging(environment) { $1 }
    let running = Running(process: process)
    try running.begin(input: input)
    return running
  }

  func run(
    _ arguments: String..., environment: [String: String] = [:], input: String? = nil
  ) throws -> Ending {
    try run(arguments, environment: environment, input: input)
  }

  func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) throws -> Ending {
    try start(arguments, environment: environment, input: input).wait()
  }

  /// Runs the program in a folder below the test's folder. Creates the folder if it is missing.
  func run(in name: String, _ arguments: [String]) throws -> Ending {
    let place = folder.appending(path: name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    return try start(arguments, launcher: ["/usr/bin/env", "--chdir=" + place.path]).wait()
  }
}

/// A running program. Its standard error goes to a file, so that the program never waits for a
/// reader of its messages. Its standard output goes to a pipe, which `wait` reads.
final class Running {
  let process: Process
  private let output = Pipe()
  private let messages: URL

  init(process: Process) {
    self.process = process
    messages = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-messages-\(UUID().uuidString)")
  }

  fileprivate func begin(input: String?) throws {
    try Data().write(to: messages)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: messages)
    let standardInput = Pipe()
    process.standardInput = standardInput
    // The pipe holds the input. A program that ends without reading it would break the pipe.
    try standardInput.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
    try process.run()
    try standardInput.fileHandleForWriting.close()
  }

  /// Reads messages until one line matches, or until the program ends.
  func firstMessage(where isWanted: (String) -> Bool) throws -> String {
    while true {
      let isOver = !process.isRunning
      let text = try String(contentsOf: messages, encoding: .utf8)
      if let line = text.split(separator: "\n").map(String.init).first(where: isWanted) {
        return line
      }
      if isOver { return "" }
      sched_yield()
    }
  }

  func wait() throws -> Program.Ending {
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: messages) }
    return Program.Ending(
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: String(decoding: data, as: UTF8.self),
      messages: try String(contentsOf: messages, encoding: .utf8))
  }
}
