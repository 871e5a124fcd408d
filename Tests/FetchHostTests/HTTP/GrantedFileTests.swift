import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Synchronization
import Testing

@Suite struct GrantedFileTests {
  private let folder: String
  private var fixture = SessionFixture(hosts: [], allowsPrivate: false)

  init() throws {
    folder = try TemporaryFolder.make("files")
    try TemporaryFolder.makeFolder(folder + "/granted")
    try TemporaryFolder.makeFolder(folder + "/granted/inner")
    try TemporaryFolder.write("<rss/>", to: folder + "/granted/feed one.xml")
    try TemporaryFolder.write("deep", to: folder + "/granted/inner/deep.txt")
    try TemporaryFolder.write("secret", to: folder + "/secret.txt")
    fixture.grant.readPaths = [folder + "/granted"]
    fixture.now = .init(seconds: Int64(time(nil)) + 60)
  }

  private func url(_ path: String) -> String { "file://" + folder + path }

  @Test func `a granted file reads like an answer`() async throws {
    let answer = try await fixture.get(url("/granted/feed%20one.xml")).get()
    #expect(answer.status == 200)
    #expect(answer.text == "<rss/>")
    #expect(answer.header("etag") != nil)
    #expect(answer.header("last-modified") != nil)
    #expect(answer.requestCount == 0)
    #expect(try await fixture.get(url("/granted/inner/deep.txt")).get().text == "deep")
  }

  @Test func `a grant of one file covers only that file`() async throws {
    var fixture = fixture
    fixture.grant.readPaths = [folder + "/granted/inner/deep.txt"]
    #expect(try await fixture.get(url("/granted/inner/deep.txt")).get().text == "deep")
    #expect(await fixture.get(url("/granted/feed%20one.xml")).failure?.code == .permission)
  }

  @Test(arguments: [
    "/secret.txt", "/granted/../secret.txt", "/granted/inner/../../secret.txt", "/grantedness",
  ]) func `the message about a file without a grant has its path`(path: String) async {
    let failure = await fixture.get(url(path)).failure
    let resolved = folder + (path == "/grantedness" ? path : "/secret.txt")
    #expect(
      failure
        == Failure(
          .permission,
          "the plugin may not read \(resolved) (granted: \(folder)/granted); "
            + "allow it with `--allow-read`, or with `allow_read` in the config or the "
            + "case file"))
  }

  @Test(arguments: ["/granted/%2e%2e/secret.txt", "/granted/..%2Fsecret.txt", "/granted/a%00b"])
  func `escapes do not lead out of the folder`(path: String) async {
    #expect(await fixture.get(url(path)).failure?.code == .invalidURL)
  }

  @Test(arguments: ["100%+f", "100%-1", "100%a", "100%"])
  func `a percent sign without two digits stays in the name`(name: String) async throws {
    try TemporaryFolder.write(name, to: folder + "/granted/" + name)
    #expect(try await fixture.get(url("/granted/" + name)).get().text == name)
  }

  @Test func `links do not lead out of the folder`() async throws {
    #expect(symlink(folder + "/secret.txt", folder + "/granted/link") == 0)
    #expect(symlink(folder, folder + "/granted/up") == 0)
    for path in ["/granted/link", "/granted/up/secret.txt"] {
      let failure = await fixture.get(url(path)).failure
      #expect(failure?.code == .connection)
      #expect(failure?.message.hasPrefix("cannot read the file \(folder)\(path): ") == true)
    }
  }

  @Test func `only regular files are read`() async throws {
    #expect(mkfifo(folder + "/granted/fifo", 0o600) == 0)
    for path in ["/granted/fifo", "/granted/inner", "/granted"] {
      let failure = await fixture.get(url(path)).failure
      #expect(failure?.message == "\(folder)\(path) is not a regular file")
    }
  }

  private final class Gate: Sendable {
    let heldCount = Atomic(0)
    let isOpen = Atomic(false)
  }

  @Test func `a file is read on the threads for files`() async throws {
    let (threads, gate) = (FileThreads(), Gate())
    defer { gate.isOpen.store(true, ordering: .sequentiallyConsistent) }
    for _ in 0..<8 {
      Task {
        await threads.run { _ in
          gate.heldCount.add(1, ordering: .sequentiallyConsistent)
          while !gate.isOpen.load(ordering: .sequentiallyConsistent) { sched_yield() }
        }
      }
    }
    while gate.heldCount.load(ordering: .sequentiallyConsistent) < 8 { await Task.yield() }
    // All threads are busy, so the file is not read before it exists.
    let session = fixture.session(over: HTTPEngine(files: threads))
    let address = url("/granted/late.txt")
    let answer = Task { await session.send(HTTPRequest(url: address)) }
    for _ in 0..<1_000 { await Task.yield() }
    try TemporaryFolder.write("late", to: folder + "/granted/late.txt")
    gate.isOpen.store(true, ordering: .sequentiallyConsistent)
    #expect(try await answer.value.get().text == "late")
  }

  @Test func `a missing file is reported`() async {
    #expect(
      await fixture.get(url("/granted/none")).failure
        == Failure(
          .connection, "cannot read the file \(folder)/granted/none: there is no such file"))
  }

  @Test func `the limit of bodies also applies to files`() async {
    var fixture = fixture
    fixture.limits.bodyBytes = 5
    #expect(
      await fixture.get(url("/granted/feed%20one.xml")).failure
        == Failure(
          .bodyLimit,
          "the file \(folder)/granted/feed one.xml is larger than 5 bytes (limit: bodyBytes)"))
  }

  @Test
  func `an unchanged file gives 304, and a rewritten one with the same text counts as unchanged`()
    async throws
  {
    var fixture = fixture
    let address = url("/granted/feed%20one.xml")
    let first = fixture.session()
    _ = try await first.send(HTTPRequest(url: address)).get()
    for update in first.validatorUpdates { fixture.validators[update.url] = update.validators }
    #expect(try await fixture.get(address).get().notModified)
    let startAt = fixture.now
    fixture.now = startAt + Validators.trustedFor + .seconds(1)
    #expect(try await fixture.get(address).get().status == 200)
    fixture.now = startAt
    let path = folder + "/granted/feed one.xml"
    #expect(unlink(path) == 0)
    try TemporaryFolder.write("<rss/>", to: path)
    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    let again = try await fixture.get(address).get()
    #expect((again.notModified, again.sameBody) == (false, true))
  }

  @Test func `a file that has just changed has no validator, which could hide the next change`()
    async throws
  {
    var fixture = fixture
    var facts = stat()
    #expect(stat(folder + "/granted/inner/deep.txt", &facts) == 0)
    fixture.now = .init(seconds: Int64(facts.st_mtim.tv_sec) + 1)
    let answer = try await fixture.get(url("/granted/inner/deep.txt")).get()
    #expect(answer.header("etag") == nil)
  }

  @Test func `the only methods for files are those that read`() async {
    var request = HTTPRequest(url: url("/granted/inner/deep.txt"))
    request.method = "DELETE"
    #expect(
      await fixture.session().send(request).failure?.message
        == "invalid method 'DELETE' for \(request.url): files can only be read, so use GET or HEAD")
  }
}
