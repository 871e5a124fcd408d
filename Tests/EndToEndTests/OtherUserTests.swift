import FetchValues
import Foundation
import Testing

/// Tests of access to a daemon whose files all users may read and write.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: OtherUser.isAvailable, "only root may turn into another user"))
struct OtherUserTests {
  let program: Program
  let site: Hostnames

  init() throws {
    program = try Program()
    site = try Hostnames()
  }

  private var store: String { program.folder.path + "/fetchrun/store.sqlite" }
  private var config: String { program.folder.path + "/fetchrun.yaml" }

  /// Makes all files readable, writable and enterable for all users.
  private func open(_ path: String) {
    for name in [path] + (FileManager.default.subpaths(atPath: path) ?? []).map({ path + "/" + $0 })
    {
      chmod(name, 0o777)
    }
  }

  private func serve(as user: OtherUser? = nil) throws -> Watched {
    let yaml = "jobs:\n" + site.job("a", at: "h1", every: "1h")
    try program.write("fetchrun.yaml", yaml)
    open(program.folder.path)
    let serving = try Watched(
      program, ["serve", "--config", config, "--store", store, "--allow-private"],
      launcher: user?.launcher ?? [])
    #expect(serving.wait(forMessage: "serving "))
    serving.wait(for: .output) { $0.count == 1 }
    open(program.folder.path)
    return serving
  }

  private func ask(as user: OtherUser, _ words: [String]) throws -> (
    status: Int32, messages: [String]
  ) {
    let asking = try Watched(program, words + ["--store", store], launcher: user.launcher)
    let status = asking.end()
    #expect(asking.output == [], "\(words)")
    return (status, asking.messages)
  }

  private static let questions = [
    ["status"], ["explain", "a"], ["budget"], ["push", "a"], ["pause", "--all"], ["resume", "a"],
  ]

  @Test func `a daemon answers only its own user and root`() throws {
    defer { program.remove() }
    defer { site.stop() }
    let serving = try serve()
    for words in Self.questions + [["run", "a", "--config", config]] {
      let refused = try ask(as: .nobody, words)
      #expect(refused.status == 1, "\(words)")
      #expect(
        refused.messages == [
          "fetchrun: a fetchrun process of another user has this store; run the command as that"
            + " user"
        ], "\(words)")
    }
    let status = try program.run("status", "a", "--json", "--store", store)
    #expect(status.output.contains("\"state\":\"scheduled\""))
    #expect(site.visits.count == 1)
    chmod(store + ".socket", 0o600)
    let kept = try ask(as: .nobody, ["status"])
    #expect(kept.status == 1)
    #expect(
      kept.messages == [
        "fetchrun: the daemon at \(store).socket cannot be reached: Permission denied"
      ])
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test(
    .enabled(
      if: OtherUser.canReadTheCheckout,
      "other users cannot enter the folder of this checkout: chmod 755 it and those above it"))
  func `no command trusts another user's daemon, and root gets its answers`() throws {
    defer { program.remove() }
    defer { site.stop() }
    let serving = try serve(as: .nobody)
    for words in Self.questions + [["run", "a", "--config", config]] {
      let refused = try ask(as: .stranger, words)
      #expect(refused.status == 1, "\(words)")
      #expect(
        refused.messages == [
          "fetchrun: the daemon at \(store).socket belongs to another user; run the command as that"
            + " user"
        ],
        "\(words)")
    }
    #expect(try program.run("status", "--store", store).output.contains("scheduled"))
    #expect(try program.run("run", "a", "--config", config, "--store", store).status == 0)
    #expect(site.visits.count == 2)
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }
}
