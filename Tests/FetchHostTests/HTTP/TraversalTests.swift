import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

/// Tests of attempts to leave a granted folder, by `file:` addresses and by `files.folder`.
@Suite struct TraversalTests {
  private let folder: String
  private var fixture = SessionFixture(hosts: [], allowsPrivate: false)
  private var granted: String { folder + "/data" }

  init() throws {
    folder = try TemporaryFolder.make("traversal")
    for name in ["/data", "/data/in", "/data2", "/dat"] {
      try TemporaryFolder.makeFolder(folder + name)
      try TemporaryFolder.write("x", to: folder + name + "/a")
    }
    try TemporaryFolder.write("secret", to: folder + "/secret")
    for (link, target) in [
      ("/data/up", ".."), ("/data/out", folder + "/data2"), ("/data/self", "/proc/self"),
      ("/data/root", "/proc/self/root"), ("/data/cwd", "/proc/self/cwd"),
      ("/data/a-link", folder + "/secret"), ("/data/loop", "loop"), ("/data/etc", "/etc"),
    ] {
      #expect(symlink(target, folder + link) == 0)
    }
    fixture.grant.readPaths = [folder + "/data"]
  }

  @Test(arguments: [
    "/data2/a", "/dat/a", "/secret", "/data/../secret", "/data/../data2/a", "/data/in/../../secret",
    "/data/./../secret", "/data/in/../../../../../../etc/passwd", "/DATA/a",
    "/data.", "/data%20/a", "/data;/a", "/data/../DATA/a",
  ]) func `an address beside the folder is refused with its path`(path: String) async {
    let failure = await fixture.get("file://" + folder + path).failure
    #expect(failure?.code == .permission)
    #expect(failure?.message.hasPrefix("the plugin may not read ") == true)
  }

  @Test(arguments: [
    "/data/%2e%2e/secret", "/data/%2E%2E/secret", "/data/.%2e/secret", "/data/..%2fsecret",
    "/data%2f..%2fsecret", "/data/%2e%2e%2fsecret", "/data/a%00", "/data/a%00.txt", "/data/%00",
    "/data/in%2f..%2f..%2fsecret", "/data/%c0%ae%c0%ae/secret", "/data/%ff",
  ]) func `an address with an encoded way out is invalid`(path: String) async {
    #expect(await fixture.get("file://" + folder + path).failure?.code == .invalidURL)
  }

  @Test(arguments: [
    "/data/up/secret", "/data/out/a", "/data/self/environ", "/data/root/etc/passwd",
    "/data/cwd/Package.swift", "/data/a-link", "/data/loop", "/data/etc/passwd",
    "/data/in/%252e%252e/%252e%252e/secret", "/data//../secret", "/data/..%252fsecret",
    "/data/..;/secret",
    "/data/a/", "/data/a/../a/x",
  ]) func `a link is not followed, and a missing file is not searched for elsewhere`(
    path: String
  ) async throws {
    let result = await fixture.get("file://" + folder + path)
    // A slash after a file's path also names the file, as RFC 8089 allows. Nothing else is read.
    if path == "/data/a/" { return #expect((try? result.get().text) == "x") }
    #expect(result.failure?.code == .connection, "\(result)")
  }

  @Test(arguments: ["/data/a", "/data//a", "/data/./a", "/data/in/../a", "/data/in/a", "/data/%61"])
  func `a file in the folder is read by any spelling of its path`(path: String) async throws {
    #expect(try await fixture.get("file://" + folder + path).get().text == "x")
  }

  @Test(arguments: [
    "/proc/self/environ", "/proc/self/fd/0", "/dev/stdin", "/dev/zero", "/etc/passwd",
  ])
  func `other files of the machine need a grant of their own`(path: String) async {
    #expect(await fixture.get("file://" + path).failure?.code == .permission)
  }

  @Test(arguments: [
    ("", FailureCode.fileAccess), ("data", .fileAccess), ("../secret", .fileAccess),
    ("/..", .fileAccess), ("/data/..", .fileAccess), ("/data/./in", .fileAccess),
    ("/data/in/../..", .fileAccess), ("/data\0/in", .fileAccess), ("/data2", .permission),
    ("/dat", .permission), ("/", .permission), ("/data/up", .fileAccess),
    ("/data/out", .fileAccess),
    ("/data/self", .fileAccess), ("/data/root", .fileAccess), ("/data/a", .fileAccess),
    ("/data/none", .fileAccess),
  ]) func `files.folder opens no folder outside the grant`(path: String, code: FailureCode) {
    let isWhole = path.hasPrefix("/")
    let failure = #expect(throws: Failure.self) {
      _ = try ReadGrant([granted]).folder(isWhole ? folder + path : path)
    }
    #expect(failure?.code == code, "\(String(describing: failure))")
  }

  @Test(arguments: ["/data", "/data/", "/data/in", "//data///in/"])
  func `files.folder opens what is in the grant`(path: String) throws {
    _ = try ReadGrant([granted]).folder(folder + path)
  }

  @Test func `a slash at the end of a granted path makes no difference`() async throws {
    var fixture = fixture
    fixture.grant.readPaths = [granted + "/"]
    #expect(try await fixture.get("file://\(granted)/a").get().text == "x")
    #expect(await fixture.get("file://\(folder)/data2/a").failure?.code == .permission)
  }

  @Test func `a granted path may be a link, but links below it are not followed`() async throws {
    #expect(symlink(granted, folder + "/link") == 0)
    var fixture = fixture
    fixture.grant.readPaths = [folder + "/link"]
    #expect(try await fixture.get("file://\(folder)/link/a").get().text == "x")
    #expect(await fixture.get("file://\(folder)/link/a-link").failure?.code == .connection)
    #expect(await fixture.get("file://\(granted)/a").failure?.code == .permission)
  }
}
