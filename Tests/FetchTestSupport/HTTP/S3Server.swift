import FetchValues
import Glibc

/// A bucket on loopback that checks each request's signature with botocore, AWS's own
/// implementation (`Tests/S3/server.py`). When the initialiser returns, the server accepts
/// connections.
package final class S3Server: Sendable {
  package static let keyID = "AKIDEXAMPLE"
  package static let secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  package static let region = "eu-central-1"

  package let port: UInt16
  /// The folder of the bucket. Its objects are in `files`.
  package let folder: String

  private static let python = "/usr/bin/python3"
  package static let isInstalled =
    access(python, X_OK) == 0
    && access("/usr/lib/python3/dist-packages/botocore/auth.py", R_OK) == 0

  /// - Parameters:
  ///   - page: the number of keys per listing.
  ///   - cut: the number of bytes of a body after which a connection ends, or 0 for complete
  ///     bodies.
  ///   - token: the session token that a temporary key needs.
  package init(page: Int = 1_000, cut: Int = 0, token: String? = nil) throws {
    folder = try TemporaryFolder.make("s3")
    try TemporaryFolder.makeFolder(folder + "/files")
    let folder = folder
    let token = token.map { " --token '\($0)'" } ?? ""
    let options = "--page \(page) --cut \(cut)" + token
    port = try LoopbackSocket.start { port in try Self.start(folder, port, options) }
    ChildProcess.endAtExit(pidFile: folder + "/s3.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/s3.pid") }

  /// Starts the server, and waits until it accepts connections. Throws if the server ends.
  private static func start(_ folder: String, _ port: UInt16, _ options: String) throws {
    let script =
      #filePath.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(3).joined(separator: "/") + "/S3/server.py"
    try ChildProcess.run([
      "/bin/bash", "-c",
      """
      setsid \(python) \(script) \(port) \(folder) \(options) >\(folder)/s3.log 2>&1 </dev/null &
      echo $! >\(folder)/s3.pid
      until (: <>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do kill -0 $! || exit 1; done
      """,
    ])
  }

  /// Sets additional objects that have no files. The key of such an object can be a name that no
  /// file can have.
  package func setKeys(_ texts: [String: String]) throws {
    let object = Value.object(
      ValueObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    try TemporaryFolder.write(try JSONWriter.text(object), to: folder + "/keys.json")
  }

  /// Returns the log, with one line for each request: method, path, range and status.
  package func log() throws -> [String] {
    try TemporaryFolder.read(folder + "/log").split(separator: "\n").map(String.init)
  }
}
