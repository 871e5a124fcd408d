import FetchTestSupport
import Foundation
import Testing

/// Tests of `file-sync` if the host refuses transfers, and if the value of a secret is also the
/// plain value of an option.
@Suite(.timeLimit(.minutes(5))) struct RefusedSyncTests {
  /// Starts a server with an S3 bucket `b` that has the given keys. The content of each object is
  /// its key.
  private static func bucket(_ keys: [String]) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let path = request.path.split(separator: "?").first.map(String.init) ?? ""
      guard request.header("Authorization")?.contains("Credential=minioadmin/") == true else {
        return connection.answer(403)
      }
      if path == "/b" || path == "/b/" {
        let contents = keys.map {
          "<Contents><Key>\($0)</Key><LastModified>2026-11-20T10:00:00.000Z</LastModified>"
            + "<ETag>&quot;\($0)&quot;</ETag><Size>\($0.utf8.count)</Size></Contents>"
        }
        return connection.answer(
          200, ["Content-Type: application/xml"],
          "<?xml version=\"1.0\"?><ListBucketResult><Name>b</Name><IsTruncated>false</IsTruncated>"
            + contents.joined() + "</ListBucketResult>")
      }
      connection.answer(200, [], String(path.dropFirst("/b/".count)))
    }
  }

  @Test func `a bucket with the default user and password of MinIO is mirrored`() throws {
    let server = try Self.bucket(["one.txt", "two.txt", "minioadmin.txt"])
    defer { server.stop() }
    var mirror = try Mirror(address: server.url + "/b")
    defer { mirror.remove() }
    mirror.options = ["kind": "s3", "key_id": "minioadmin"]
    mirror.secrets = ["secret_key": "minioadmin"]
    let run = try mirror.run()
    #expect(run.outcome == "newData +3 ~0 -0", "\(run)")
    #expect(
      run.changes == ["one.txt": "added", "two.txt": "added", "minioadmin.txt": "added"])
    #expect(
      try mirror.texts()
        == ["one.txt": "one.txt", "two.txt": "two.txt", "minioadmin.txt": "minioadmin.txt"])
    for _ in 1...2 { #expect(try mirror.run().outcome.hasPrefix("noData ")) }
  }

  @Test func `files that cannot be queued fail the run, and become news when they are mirrored`()
    throws
  {
    var mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("one.txt", "1")
    for number in 1...40 { try mirror.write("with hunter2222 \(number).txt", "\(number)") }
    mirror.secrets = ["password": "hunter2222"]
    let refusal =
      "the transfer contains the plain value of a secret, which would be stored with the transfer: "
      + "use the handle from `ctx:secret` instead of the value"
    for round in 1...2 {
      let run = try mirror.run()
      #expect(
        run.outcome
          == "failed: 40 of \(round == 1 ? 41 : 40) files could not be queued, such as "
          + "'with [secret password] 1.txt': \(refusal)", "\(run.messages)")
      #expect(run.changes == (round == 1 ? ["one.txt": "added"] : [:]))
      #expect(
        run.messages.filter { $0.contains("cannot be mirrored") } == [
          "mirror: warning: cannot be mirrored: with [secret password] 1.txt and 39 more: \(refusal)"
        ])
      #expect(try mirror.texts() == ["one.txt": "1"])
    }
    mirror.secrets = ["password": "another one"]
    let mended = try mirror.run()
    #expect(mended.outcome == "newData +40 ~0 -0", "\(mended.messages)")
    #expect(try mirror.isSame())
    #expect(try mirror.run().outcome.hasPrefix("noData "))
  }
}
