package import FetchStore
import Foundation
import Synchronization

/// A PostgreSQL server for tests. The server listens on a unix socket in a temporary folder. When
/// the test process exits, the server is stopped and removed with all its databases.
package final class PostgresServer: Sendable {
  /// The server that tests share, or nil if it could not be started. Many tests run at the same
  /// time, and each open store has two connections.
  package static let shared: PostgresServer? = try? PostgresServer(settings: [
    "max_connections=500"
  ])

  package static let isInstalled = binaries != nil

  private static let binaries: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap { Int($0) }.max().map { "\(root)/\($0)/bin" }
  }()

  package let folder: String
  /// The path of the socket at which the server listens.
  package var socketPath: String { folder + "/.s.PGSQL.5432" }
  private let databases = Atomic(0)

  /// The server's settings, each of the form `name=value`.
  private let settings: [String]

  /// Starts a new server, which a test may stop and start.
  ///
  /// - Parameters:
  ///   - isDurable: whether commits wait for the disk.
  ///   - settings: more settings, each of the form `name=value`.
  ///   - logFolder: an empty folder for the write-ahead log in files of 1 MiB, or nil for the
  ///     data's folder.
  package convenience init(
    isDurable: Bool = false, settings: [String] = [], logFolder: String? = nil
  ) throws {
    let log = logFolder.map { ["--waldir=\($0)", "--wal-segsize=1"] } ?? []
    try self.init(
      settings: ["fsync=\(isDurable ? "on" : "off")"] + settings, making: "initdb",
      ["-E", "UTF8", "--locale=C", "-A", "trust", "-U", "fetchrun", "--no-sync"] + log)
  }

  /// - Parameters:
  ///   - program: the program that makes the folder of the data.
  ///   - arguments: its arguments, except for the folder.
  private init(settings: [String], making program: String, _ arguments: [String]) throws {
    self.settings = settings
    folder =
      FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-postgres-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Self.own(folder)
    try Self.run(program, ["-D", "\(folder)/data"] + arguments)
    try start()
    Self.folders.withLock { $0.append(folder) }
    atexit { PostgresServer.stopAll() }
  }

  /// Makes the user `postgres` the owner of a folder if this process runs as root. A server refuses
  /// to run as root.
  package static func own(_ folder: String) throws {
    if getuid() != 0 { return }
    guard let user = getpwnam("postgres") else { throw CocoaError(.fileNoSuchFile) }
    chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
  }

  package func start() throws {
    let settings = ["listen_addresses=", "max_connections=200"] + settings
    try control([
      "-l", "\(folder)/log", "-o",
      (["-k \(folder)"] + settings.map { "-c \($0)" }).joined(separator: " "), "start",
    ])
  }

  /// Runs the program that starts, stops and promotes the server, and waits for the result.
  private func control(_ arguments: [String]) throws {
    try Self.run("pg_ctl", ["-D", "\(folder)/data", "-w"] + arguments)
  }

  /// Starts a hot standby, which copies this server's changes and answers only reads.
  package func newStandby() throws -> PostgresServer {
    try PostgresServer(
      settings: ["fsync=off", "wal_retrieve_retry_interval=100ms"], making: "pg_basebackup",
      ["-h", folder, "-U", "fetchrun", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"])
  }

  /// Turns a standby into a primary, which accepts writes.
  package func promote() throws { try control(["promote"]) }

  /// The first process of the server, and its children. The value is nil if there is no file with
  /// the process id.
  private var processes: (parent: Int, children: [Substring])? {
    let file = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
    guard let parent = file?.split(separator: "\n").first.flatMap({ Int($0) }) else { return nil }
    let path = "/proc/\(parent)/task/\(parent)/children"
    let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return (parent, children.split(separator: " "))
  }

  /// The memory in bytes of all processes of the server. A page that only these processes share
  /// counts once (proc_pid_smaps(5), Pss).
  package var ownBytes: Int {
    guard let (parent, children) = processes else { return 0 }
    return ([Substring("\(parent)")] + children).reduce(0) { sum, process in
      let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
      let line = text?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
      return sum + (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
  }

  /// The CPU time in seconds that all processes of the server have used, including those that have
  /// ended.
  package var cpuSeconds: Double {
    guard let (parent, children) = processes else { return 0 }
    let facts = (try? String(contentsOfFile: "/proc/\(parent)/stat", encoding: .utf8)) ?? ""
    let fields = facts.split(separator: ")").last?.split(separator: " ") ?? []
    let ended = fields.dropFirst(11).prefix(4).compactMap { Double($0) }.reduce(0, +)
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    return children.reduce(ended / ticks) { sum, child in
      // The nanoseconds on a processor are more exact than the ticks in `stat`.
      let facts = try? String(contentsOfFile: "/proc/\(child)/schedstat", encoding: .utf8)
      return sum + (facts?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
  }

  /// Stops the server immediately, as a crash does. The server recovers at its next start.
  package func crash() throws { try control(["-m", "immediate", "stop"]) }

  /// Waits until the server has ended by itself, for at most 100 seconds. Returns whether it has
  /// ended.
  package func waitForEnd() async -> Bool {
    let limit = ContinuousClock.now + .seconds(100)
    while let (parent, _) = processes, Self.isAlive(Int32(parent)) {
      if ContinuousClock.now > limit { return false }
      await Task.yield()
    }
    return true
  }

  /// Kills all processes of the server with SIGKILL.
  package func kill() throws {
    guard let (parent, children) = processes else { throw CocoaError(.executableNotLoadable) }
    let all = [Int32(parent)] + children.compactMap { Int32($0) }
    for process in all { Glibc.kill(process, SIGKILL) }
    for process in all { while Self.isAlive(process) { sched_yield() } }
    // A dead process that is still a zombie would make the server look alive, so the files are
    // removed.
    try FileManager.default.removeItem(atPath: folder + "/data/postmaster.pid")
    try? FileManager.default.removeItem(atPath: folder + "/.s.PGSQL.5432.lock")
  }

  /// Whether a process exists and has not ended. A zombie counts as ended.
  private static func isAlive(_ process: Int32) -> Bool {
    guard let state = state(of: process) else { return false }
    return state != "Z" && state != "X"
  }

  /// Returns the letter of a process's state (proc_pid_stat(5)); nil if the process does not exist.
  private static func state(of process: Int32) -> Substring? {
    let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return facts?.split(separator: ")").last?.split(separator: " ").first
  }

  /// Stops all processes of the server with SIGSTOP, until `resume` is called.
  package func suspend() throws {
    guard let (parent, _) = processes else { throw CocoaError(.executableNotLoadable) }
    Self.suspend(Int32(parent))
    // From here on, the server starts no processes.
    let children = processes?.children ?? []
    for child in children.compactMap({ Int32($0) }) { Self.suspend(child) }
  }

  /// Continues the processes that `suspend` has stopped.
  package func resume() {
    guard let (parent, children) = processes else { return }
    for process in [Int32(parent)] + children.compactMap({ Int32($0) }) { Self.resume(process) }
  }

  /// Stops one process with SIGSTOP, until `resume` is called. Returns when it has stopped.
  package static func suspend(_ process: Int32) {
    Glibc.kill(process, SIGSTOP)
    while isAlive(process), state(of: process) != "T" { sched_yield() }
  }

  package static func resume(_ process: Int32) { Glibc.kill(process, SIGCONT) }

  /// Executes statements in a database as the owner of all databases.
  package func execute(_ sql: String, in store: StoreAddress) throws {
    try Self.run(
      "psql",
      [
        "-h", folder, "-U", "fetchrun", "-d", String(store.path.split(separator: "/").last ?? ""),
        "-v", "ON_ERROR_STOP=1", "-qc", sql.replacing("'", with: "'\\''"),
      ])
  }

  /// The folders of the servers to stop.
  private static let folders = Mutex<[String]>([])

  private static func stopAll() {
    for folder in folders.withLock({ $0 }) {
      try? run("pg_ctl", ["-D", "\(folder)/data", "-m", "immediate", "stop"])
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  /// Runs a program of PostgreSQL. Foundation's `Process` would wait until the server ends, because
  /// the server inherits the descriptor with which `Process` notices an end.
  private static func run(_ program: String, _ arguments: [String]) throws {
    guard let binaries else { throw CocoaError(.fileNoSuchFile) }
    let user = getuid() == 0 ? "/usr/sbin/runuser -u postgres -- " : ""
    let words = ["\(binaries)/\(program)"] + arguments
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    guard system("cd / && \(user)\(quoted) </dev/null >/dev/null 2>&1") == 0 else {
      throw CocoaError(.executableLoad)
    }
  }

  /// Creates an empty database and returns its address. The database remains until the server is
  /// removed.
  package func newDatabase(
    named name: String? = nil, encoding: String = "UTF8"
  ) throws -> StoreAddress {
    let name = name ?? "t\(databases.add(1, ordering: .relaxed).newValue)"
    try Self.run(
      "createdb", ["-h", folder, "-U", "fetchrun", "-T", "template0", "-E", encoding, name])
    return address(of: name)
  }

  /// Returns the address of a database, which need not exist yet.
  package func address(of database: String) -> StoreAddress {
    let host = folder.replacing("/", with: "%2F")
    return .server("postgresql://fetchrun@\(host)/\(database)", folder: "\(folder)/\(database)")
  }
}
