import Glibc
import Synchronization

/// Functions that start and end the programs of tests. Registered programs are killed when the test
/// process exits.
package enum ChildProcess {
  package struct Failed: Error {
    var command: String
    var status: Int32
  }

  private static let pidFiles = Mutex<Set<String>>([])

  /// Runs a command, discards its output, waits for its end, and throws unless the command
  /// succeeded.
  package static func run(_ command: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for output: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    let arguments = command.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var pid: pid_t = 0
    var status = posix_spawn(&pid, command[0], &actions, nil, arguments, environ)
    if status == 0 { waitpid(pid, &status, 0) }
    if status != 0 { throw Failed(command: command.joined(separator: " "), status: status) }
  }

  /// Starts a program with the descriptor as its input and output. Writes the program's process id
  /// to a file and registers the file.
  static func start(_ command: [String], on descriptor: Int32, pidFile: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream: Int32 in [0, 1] { posix_spawn_file_actions_adddup2(&actions, descriptor, stream) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let arguments = command.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, command[0], &actions, nil, arguments, environ)
    if status != 0 { throw Failed(command: command.joined(separator: " "), status: status) }
    try TemporaryFolder.write("\(pid)\n", to: pidFile)
    endAtExit(pidFile: pidFile)
  }

  /// Registers a file with the process id of a program. The program is killed when this process
  /// exits.
  package static func endAtExit(pidFile: String) {
    let isFirst = pidFiles.withLock { files in
      files.insert(pidFile)
      return files.count == 1
    }
    if isFirst { atexit { ChildProcess.endAll() } }
  }

  package static func end(pidFile: String) {
    _ = pidFiles.withLock { $0.remove(pidFile) }
    guard let file = fopen(pidFile, "r") else { return }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, Int32(line.count), file) != nil else { return }
    let pid = atoi(line)
    // SIGTERM would not be enough. A child inherits the signal mask of the thread that started it,
    // and the threads of tests block signals. With SIGTERM, servers still ran an hour later. A
    // program in the background leads a process group, whose workers would otherwise remain.
    if pid > 1 { kill(getpgid(pid) == pid ? -pid : pid, SIGKILL) }
  }

  private static func endAll() {
    for file in pidFiles.withLock({ $0 }) { end(pidFile: file) }
  }
}
