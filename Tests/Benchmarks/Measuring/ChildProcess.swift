import Foundation

/// A started program whose resource usage can be read at its end. Foundation's Process does not
/// report this usage. The program has a small environment, without proxies and settings of the
/// user.
struct ChildProcess {
  static let samplingMicroseconds: UInt32 = 10_000
  nonisolated(unsafe) static var home = "/nonexistent"

  let identifier: pid_t
  private let startedAt = ContinuousClock.now

  /// Starts a program. `name` is a path or is looked up in PATH. `output` and `errors` are files.
  /// By default the output is discarded, and errors go to this process's standard error.
  init(
    _ name: String, _ arguments: [String], input: Int32? = nil, output: URL? = nil,
    errors: URL? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 1, output?.path ?? "/dev/null", flags, 0o600)
    if let errors { posix_spawn_file_actions_addopen(&actions, 2, errors.path, flags, 0o600) }

    // The threads of the concurrency runtime block signals, including SIGCHLD, and a started
    // program would inherit the blocked signals. With SIGCHLD blocked, `wait` of Debian's sh never
    // returns.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    let environment = [
      "PATH=\(path):/usr/sbin", "HOME=\(Self.home)", "LC_ALL=C.UTF-8", "TMPDIR=\(Self.home)",
    ]
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var identifier: pid_t = 0
    let code = posix_spawnp(&identifier, name, &actions, &attributes, &words, &variables)
    guard code == 0 else {
      throw BenchmarkError("cannot start \(name): \(String(cString: strerror(code)))")
    }
    self.identifier = identifier
  }

  /// Waits until the program ends. With `sampling`, also samples its whole process tree.
  func wait(sampling: Bool = false) throws -> Usage {
    var usage = Usage()
    var tree = ProcessTree(root: identifier)
    var status: Int32 = 0
    var used = rusage()
    while true {
      let code = wait4(identifier, &status, sampling ? WNOHANG : 0, &used)
      if code == identifier { break }
      guard code == 0 || errno == EINTR else { throw BenchmarkError("wait4 failed") }
      tree.sample()
      usleep(Self.samplingMicroseconds)
    }
    usage.wallSeconds = (ContinuousClock.now - startedAt) / .seconds(1)
    usage.add(used)
    // The sum of wait4 omits children for which no process waited, but the samples include them.
    usage.cpuSeconds = max(usage.cpuSeconds, tree.allSeconds)
    usage.peakSumBytes = tree.peakSumBytes
    usage.peakChildBytes = tree.peakChildBytes
    usage.childrenSeconds = tree.childrenSeconds
    usage.exitStatus = (status & 0x7F) == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    return usage
  }

  /// Asks the process to end, and waits for it.
  func stop() throws -> Usage {
    _ = Glibc.kill(identifier, SIGTERM)
    return try wait()
  }

  func kill() { _ = Glibc.kill(identifier, SIGKILL) }
}
