import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the sources of secrets, and of the messages if a source cannot be read.
@Suite struct SecretSourcesTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func value(
    _ source: SecretSource, _ environment: [String: String] = [:]
  ) async throws -> String {
    let sources = SecretSources(environment: environment, vault: folder.vault())
    return try await sources.value(of: source).text
  }

  private func problem(
    _ source: SecretSource, _ environment: [String: String] = [:]
  ) async -> String {
    do {
      _ = try await value(source, environment)
      return "none"
    } catch let problem as SecretProblem {
      return problem.message.replacing(folder.path, with: "FOLDER")
    } catch { return "\(error)" }
  }

  @Test func `an environment variable gives a value`() async throws {
    #expect(try await value(.environment("A"), ["A": " v "]) == " v ")
    #expect(await problem(.environment("B")) == "the environment variable B is not set")
    #expect(await problem(.environment("B"), ["B": ""]) == "the environment variable B is empty")
  }

  @Test func `a file must be readable only by its owner`() async throws {
    let file = try folder.write("token", "v\n")
    #expect(try await value(.file(file)) == "v")
    for (mode, word) in [(0o640, "0640"), (0o604, "0604"), (0o620, "0620"), (0o666, "0666")] {
      try folder.setMode("token", mode)
      #expect(
        await problem(.file(file))
          == "the file FOLDER/token is accessible to other users (mode \(word)); "
          + "run `chmod 600 FOLDER/token`")
    }
    try folder.setMode("token", 0o400)
    #expect(try await value(.file(file)) == "v")
  }

  @Test func `the suggested command quotes a path with a space`() async throws {
    let file = try folder.write("my token", "v\n")
    try folder.setMode("my token", 0o644)
    #expect(
      await problem(.file(file))
        == "the file FOLDER/my token is accessible to other users (mode 0644); "
        + "run `chmod 600 'FOLDER/my token'`")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a file that belongs to another user is refused`() async throws {
    let file = try folder.write("token", "v\n")
    try #require(chown(file, 12345, 12345) == 0)
    #expect(
      await problem(.file(file))
        == "the file FOLDER/token belongs to user 12345, who can change it; "
        + "run `chown 0 FOLDER/token`")
  }

  @Test func `only root is advised to change the owner of a file`() {
    #expect(
      PrivateFile.foreign("/a b", owner: 12, user: 0).message
        == "the file /a b belongs to user 12, who can change it; run `chown 0 '/a b'`")
    #expect(
      PrivateFile.foreign("/a b", owner: 0, user: 12).message
        == "the file /a b belongs to user 0, who can change it; use a copy that belongs to you")
  }

  @Test func `a file of another kind is reported`() async throws {
    #expect(
      await problem(.file(folder.path + "/none"))
        == "the file FOLDER/none cannot be read: No such file or directory")
    #expect(await problem(.file(folder.path)) == "FOLDER is not a regular file")
    #expect(await problem(.file("/dev/zero")) == "/dev/zero is not a regular file")
    let empty = try folder.write("empty", "\n")
    #expect(await problem(.file(empty)) == "the file FOLDER/empty is empty")
    let binary = try folder.write("binary", "a\0b")
    #expect(await problem(.file(binary)) == "the file FOLDER/binary is not UTF-8 text")
    let long = try folder.write("long", String(repeating: "a", count: 100_000))
    #expect(await problem(.file(long)) == "the file FOLDER/long is longer than 66560 bytes")
  }

  @Test func `a credential of the service manager gives a value`() async throws {
    try folder.write("token", "v", mode: 0o440)
    let environment = ["CREDENTIALS_DIRECTORY": folder.path]
    #expect(try await value(.credential("token"), environment) == "v")
    #expect(
      await problem(.credential("token"))
        == "CREDENTIALS_DIRECTORY is not set: run fetchrun in a systemd unit with "
        + "`LoadCredential=token:…`")
  }

  @Test func `a stored secret gives a value`() async throws {
    try folder.vault().set(SecretValue("v"), named: "token", now: Timestamp(seconds: 0))
    #expect(try await value(.stored("token")) == "v")
    #expect(
      await problem(.stored("other"))
        == "there is no stored secret 'other'; set it with `fetchrun secret set other`")
    let none = SecretSources(environment: [:])
    await #expect(throws: SecretProblem("this process cannot read stored secrets")) {
      try await none.value(of: .stored("token"))
    }
  }

  // MARK: Commands

  @Test func `the output of a program gives a value`() async throws {
    #expect(try await value(.command(["/bin/echo", "a  b", "$HOME;`id`"])) == "a  b $HOME;`id`")
    #expect(try await value(.command(["printf", "%s", "by name"])) == "by name")
  }

  @Test func `a program that fails is reported, without its output`() async throws {
    #expect(
      await problem(.command(["sh", "-c", "echo value; exit 3"])) == "'sh' ended with status 3")
    #expect(await problem(.command(["sh", "-c", "kill -9 $$"])) == "'sh' ended with signal 9")
    #expect(await problem(.command(["true"])) == "the output of true is empty")
    #expect(
      await problem(.command(["/no/such/program"]))
        == "'/no/such/program' cannot be started: No such file or directory")
    #expect(
      await problem(.command([folder.path]))
        == "'FOLDER' cannot be started: Permission denied")
  }

  @Test func `a program that prints endlessly is killed with all its child processes`() async throws
  {
    let mark = folder.path + "/group"
    let script = "echo $$ > \(mark); sh -c 'exec yes' & exec yes"
    #expect(
      await problem(.command(["sh", "-c", script]))
        == "'sh' did not end within 10s, or its output is too long for a secret")
    let group = try #require(Int32(try folder.text("group").dropLast()))
    while Self.isAlive(group: group) { sched_yield() }
  }

  /// Whether any process of the group still runs. Ignores an ended process whose parent has not
  /// waited for it yet.
  private static func isAlive(group: Int32) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.contains { name in
      let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
      let words = text?.split(separator: ")").last?.split(separator: " ") ?? []
      return words.count > 2 && words[2] == String(group) && words[0] != "Z"
    }
  }

  @Test
  func
    `a program has its own process group, and neither the input nor the descriptors of fetchrun`()
    async throws
  {
    let script = "cat; ls /proc/self/fd | tr '\\n' ' '; cut -d' ' -f5 /proc/$$/stat; echo $$"
    let words = try await value(.command(["sh", "-c", script])).split(separator: "\n")
    #expect(words.first?.hasPrefix("0 1 2 3 ") == true, "3 is the listing's own")
    #expect(words.last == words.first?.split(separator: " ").last)
  }

  // MARK: The kernel's keyring

  @Test(.enabled(if: KernelKey.isAllowed, "this kernel or container refuses new keys"))
  func `a key in the kernel's keyring gives a value`() async throws {
    let name = try #require(KernelKey.add("fetchrun-test-\(UUID().uuidString)", "v"))
    #expect(try await value(.keyring(name)) == "v")
  }

  @Test func `a missing key is reported`() async throws {
    let message = await problem(.keyring("fetchrun-test-none"))
    #expect(
      [
        "there is no key 'fetchrun-test-none' in the kernel's keyrings of this session; "
          + "add it with `keyctl padd user fetchrun-test-none @u`",
        "the kernel does not let this process read the key 'fetchrun-test-none'; "
          + "link it to the session's keyring with `keyctl link`, or use another source",
        "this kernel or container has no keyrings; use another source for the secret",
      ].contains(message))
  }

  // MARK: Refresh tokens

  @Test func `a replaced refresh token is used until the user sets a new one`()
    async throws
  {
    var client = OAuthClient(tokenURL: "https://a.example/token", clientID: "me")
    client.refreshToken = .environment("R")
    func sources(_ value: String) -> SecretSources {
      SecretSources(environment: ["R": value], vault: folder.vault())
    }
    #expect(try await sources("one").refreshToken(of: client)?.text == "one")
    try await sources("one").keep(SecretValue("two"), of: client)
    #expect(try await sources("one").refreshToken(of: client)?.text == "two")
    #expect(try await sources("new").refreshToken(of: client)?.text == "new")
    #expect(!(try folder.text("secrets.json")).contains("two"))
  }

  @Test func `a stored refresh token is replaced in the store`() async throws {
    var client = OAuthClient(tokenURL: "https://a.example/token", clientID: "me")
    client.refreshToken = .stored("refresh")
    let vault = folder.vault()
    try vault.set(SecretValue("one"), named: "refresh", now: Timestamp(seconds: 0))
    let sources = SecretSources(environment: [:], vault: vault)
    try await sources.keep(SecretValue("two"), of: client)
    #expect(try vault.value(named: "refresh").text == "two")
    #expect(try vault.entries().map(\.name) == ["refresh"])
  }
}
