import FetchTestSupport
import Foundation
import Testing

/// Tests of `file-sync` with real servers on loopback, with an S3 server that uses botocore, and
/// with a folder of this machine. If a server is not installed, its tests are skipped with a
/// message.
@Suite struct RealServerSyncTests {
  @Test(.enabled(if: ApacheServer.isInstalled, "apache2-bin is not installed"))
  func `collections of Apache are mirrored`() throws {
    let server = try ApacheServer(hasDAV: true)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    defer { mirror.remove() }
    try mirror.live(first: 3, later: 3)
  }

  @Test(.enabled(if: ApacheServer.isInstalled, "apache2-bin is not installed"))
  func `a collection whose answer is read in parts is mirrored`() throws {
    let server = try ApacheServer(hasDAV: true)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    defer { mirror.remove() }
    let count = 2_000
    for number in 0..<count { try mirror.write("file number \(number)", "") }
    let run = try mirror.run(["dry_run": "true"])
    #expect(run.requestCount == 1)
    // Files that do not fit into the log are only counted.
    let named = run.messages.filter { $0.contains("would fetch file number ") }.count
    let more = run.messages.last.flatMap { $0.split(separator: " ").dropLast().last }
    #expect(named > 500)
    #expect(named + (more.flatMap { Int($0) } ?? 0) == count)
  }

  @Test(.enabled(if: NginxFolders.hasDAV, "libnginx-mod-http-dav-ext is not installed"))
  func `collections of nginx are mirrored`() throws {
    let server = try NginxFolders()
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/dav")
    defer { mirror.remove() }
    try mirror.live(first: 3, later: 3, hidesDotFiles: true)
  }

  @Test(.enabled(if: RcloneServer.isInstalled, "rclone is not installed"))
  func `collections of rclone are mirrored`() throws {
    let server = try RcloneServer(.webdav)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)")
    defer { mirror.remove() }
    try mirror.live(first: 3, later: 3)
  }

  @Test(
    .enabled(if: NginxFolders.isInstalled, "nginx is not installed"), arguments: ["html", "json"])
  func `listings of nginx are mirrored`(form: String) throws {
    let server = try NginxFolders()
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/\(form)/")
    defer { mirror.remove() }
    // The first run needs one more request, because `file-sync` first tries WebDAV.
    try mirror.live(first: 4, later: 3, hidesDotFiles: true)
  }

  @Test(.enabled(if: RcloneServer.isInstalled, "rclone is not installed"))
  func `listings of rclone are mirrored`() throws {
    let server = try RcloneServer(.http)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    defer { mirror.remove() }
    try mirror.live(first: 4, later: 3)
  }

  @Test(.enabled(if: PythonServer.isInstalled, "python3 is not installed"))
  func `listings of Python are mirrored`() throws {
    let server = try PythonServer()
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    defer { mirror.remove() }
    // The listings have only names, so each file needs a HEAD request.
    try mirror.live(first: 4 + Mirror.liveCount, later: 3 + Mirror.liveCount)
  }

  @Test(.enabled(if: RcloneServer.isInstalled, "rclone is not installed"))
  func `collections behind a password are mirrored`() throws {
    let server = try RcloneServer(.webdav, user: "ada", password: "l:ö")
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    defer { mirror.remove() }
    try mirror.write("in/a.txt", "a")
    let refused = try mirror.run()
    #expect(
      refused.outcome
        == "failed: PROPFIND \(mirror.address) was answered with status 401 and no listing")
    let run = try mirror.run(["user": "ada", "password": "l:ö"])
    #expect(run.outcome == "newData +1 ~0 -0")
    #expect(try mirror.isSame())
    var other = try Mirror(source: server.folder + "/files", address: mirror.address)
    defer { other.remove() }
    other.secrets = ["password": "l:ö"]
    #expect(try other.run(["user": "ada"]).outcome == "newData +1 ~0 -0")
    #expect(try other.isSame())
  }

  @Test(
    .enabled(if: S3Server.isInstalled, "python3-botocore is not installed"),
    arguments: [true, false])
  func `a bucket with keys is mirrored`(isByHostname: Bool) throws {
    let server = try S3Server()
    let mirror = try Self.bucket(
      server, isByHostname ? "bucket.localhost:\(server.port)/" : "127.0.0.1:\(server.port)/bucket")
    defer { mirror.remove() }
    try mirror.live(first: 1, later: 1)
    #expect(try server.log().allSatisfy { $0.hasSuffix(" 200") })
  }

  @Test(.enabled(if: ApacheServer.isInstalled, "apache2-bin is not installed"))
  func `a folder whose address is too long fails without affecting others`() throws {
    let server = try ApacheServer(hasDAV: true)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    defer { mirror.remove() }
    // Each letter takes three bytes in the name, and nine bytes in an address.
    let name = String(repeating: "日", count: 85)
    let paths = (1...11).map { Array(repeating: name, count: $0).joined(separator: "/") }
    for path in paths { try mirror.write(path + "/a", "abc") }
    let run = try mirror.run(["delete": "true"])
    #expect(
      run.changes.values.filter { $0 != "added" } == [
        "added: its address is longer than 8000 bytes"
      ])
    #expect(run.changes.count == 11)
    #expect(try mirror.texts().count == 10)
    #expect(try mirror.run(["delete": "true"]).outcome.hasPrefix("noData "))
  }

  /// Returns a mirror of a bucket whose server verifies every request with botocore.
  private static func bucket(_ server: S3Server, _ place: String) throws -> Mirror {
    var mirror = try Mirror(source: server.folder + "/files", address: "http://\(place)")
    mirror.options = ["key_id": S3Server.keyID, "region": S3Server.region]
    mirror.secrets = ["secret_key": S3Server.secretKey]
    return mirror
  }

  @Test(.enabled(if: S3Server.isInstalled, "python3-botocore is not installed"))
  func `a bucket is mirrored from pages of keys, and its objects in parts`() throws {
    let server = try S3Server(page: 7, cut: 600_000, token: "t/o+k=en==")
    var mirror = try Self.bucket(server, "127.0.0.1:\(server.port)/bucket")
    defer { mirror.remove() }
    for number in 1...20 { try mirror.write("photos/raw +\(number).txt", "\(number)") }
    try mirror.write("photos/big", String(repeating: "0123456789", count: 100_000))
    try mirror.write("other/x.txt", "not asked for")
    // A temporary key needs a session token.
    mirror.secrets["session_token"] = "t/o+k=en=="
    let run = try mirror.run(["prefix": "photos/"])
    #expect(run.outcome == "newData +21 ~0 -0")
    #expect(run.requestCount == 3)
    #expect(try Mirror.files(mirror.copy) == Mirror.files(mirror.source + "/photos"))
    let log = try server.log()
    #expect(log.filter { $0.contains("/big bytes=600000- 206") }.count == 1)
    #expect(log.filter { $0.contains("continuation-token=%2B%2F%3D") }.count == 2)
    #expect(log.allSatisfy { $0.hasSuffix(" 200") || $0.hasSuffix(" 206") })
    #expect(try mirror.run(["prefix": "photos/"]).outcome.hasPrefix("noData "))
  }

  @Test(.enabled(if: S3Server.isInstalled, "python3-botocore is not installed"))
  func `keys that cannot be paths fail without affecting others`() throws {
    let server = try S3Server()
    let mirror = try Self.bucket(server, "127.0.0.1:\(server.port)/bucket")
    defer { mirror.remove() }
    let long = String(repeating: "x", count: 256)
    try server.setKeys([
      "a": "1", "a//b": "2", "in/../c": "3", "./d": "4", "/e": "5", "folder/": "", long: "6",
      "control\u{1}\tcharacters\n": "7", "Case": "8", "case": "9", "f": "10", "f/g": "11",
    ])
    let run = try mirror.run()
    #expect(
      run.changes.filter { $0.value != "added" } == [
        "a//b": "added: its path has an empty name, . or ..",
        "in/../c": "added: its path has an empty name, . or ..",
        "./d": "added: its path has an empty name, . or ..",
        "/e": "added: its path has an empty name, . or ..",
        long: "added: its name is longer than 255 bytes",
        "f/g": "added: the source has a file 'f' too",
      ])
    #expect(
      try mirror.texts() == [
        "a": "1", "control\u{1}\tcharacters\n": "7", "Case": "8", "case": "9", "f": "10",
      ])
  }

  @Test(.enabled(if: S3Server.isInstalled, "python3-botocore is not installed"))
  func `the reason why a bucket refuses requests is reported`() throws {
    let server = try S3Server()
    var mirror = try Self.bucket(server, "127.0.0.1:\(server.port)/bucket")
    defer { mirror.remove() }
    let address = mirror.address + "/"
    mirror.secrets["secret_key"] = "another key"
    #expect(
      try mirror.run().outcome
        == "failed: \(address) was answered with status 403: SignatureDoesNotMatch, "
        + "The signature does not match")
    #expect(
      try mirror.run(["region": "us-east-1"]).outcome
        == "failed: \(address) was answered with status 400: AuthorizationHeaderMalformed, "
        + "expecting 'eu-central-1'")
    mirror.secrets = [:]
    #expect(
      try mirror.run().outcome
        == "failed: key_id needs the job's secret 'secret_key', which is missing")
    mirror.options = ["kind": "s3"]
    #expect(
      try mirror.run().outcome
        == "failed: \(address) was answered with status 403: AccessDenied, Access Denied")
  }

  @Test func `a folder of this machine is mirrored`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.live(first: 0, later: 0)
  }
}
