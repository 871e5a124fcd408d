import Glibc

/// A real Apache httpd on loopback, for what only it does: its entity tags, and its labels of packed
/// files. It listens before its starter returns, so it is ready at once.
package final class ApacheServer: Sendable {
  package let port: UInt16
  package let folder: String

  package static let isInstalled =
    access("/usr/sbin/apache2", X_OK) == 0 && access(modules + "/mod_mpm_event.so", R_OK) == 0

  private static let modules = "/usr/lib/apache2/modules"

  /// Serves what lies in `files` of its folder.
  package init() throws {
    folder = try TemporaryFolder.make("apache")
    try TemporaryFolder.makeFolder(folder + "/files")
    // Started by root it serves as nobody.
    for path in [folder, folder + "/files"] { chmod(path, 0o755) }
    port = try Self.start(in: folder)
    ChildProcess.endAtExit(pidFile: folder + "/apache.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/apache.pid") }

  /// A port that is free now may be taken a moment later: then others are tried.
  private static func start(in folder: String) throws -> UInt16 {
    var attemptsLeft = 5
    while true {
      let port = try LoopbackSocket.refusingPort()
      try TemporaryFolder.write(configuration(folder, port), to: folder + "/apache.conf")
      do {
        try ChildProcess.run(
          ["/usr/sbin/apache2", "-d", folder, "-f", folder + "/apache.conf", "-k", "start"])
        return port
      } catch {
        attemptsLeft -= 1
        if attemptsLeft == 0 { throw error }
      }
    }
  }

  private static func configuration(_ folder: String, _ port: UInt16) -> String {
    """
    ServerName localhost
    User #65534
    Group #65534
    Listen 127.0.0.1:\(port)
    PidFile \(folder)/apache.pid
    ErrorLog \(folder)/error.log
    Mutex sem
    ScoreBoardFile \(folder)/scoreboard
    LoadModule mpm_event_module \(modules)/mod_mpm_event.so
    LoadModule authz_core_module \(modules)/mod_authz_core.so
    LoadModule mime_module \(modules)/mod_mime.so
    StartServers 1
    ServerLimit 1
    MinSpareThreads 1
    ThreadsPerChild 16
    MaxRequestWorkers 16
    TypesConfig /dev/null
    AddEncoding x-gzip .gz
    DocumentRoot \(folder)/files
    """
  }
}
