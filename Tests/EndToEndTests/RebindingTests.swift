import FetchTestSupport
import Foundation
import Testing

/// Tests of a granted name that later resolves to an address that is not allowed, or that resolves
/// to a public address and this machine.
@Suite(
  .enabled(if: Namespace.hasTwoEnds, "only root, with ip(8), may give a program its own network"),
  .serialized, .timeLimit(.minutes(5)))
struct RebindingTests {
  static let publicAddress = "93.184.215.14"
  static let deadPublicAddress = "93.184.215.15"
  static let privateAddress = "10.1.2.3"

  let program: Program
  /// The hosts file with the addresses of the names, for all programs in the namespace.
  let hosts: URL
  /// A program that keeps the namespace alive.
  let holder: Watched
  let news: Newsroom

  init() throws {
    program = try Program()
    hosts = program.folder.appending(path: "hosts")
    try Data().write(to: hosts)
    try program.write("fetchrun.yaml", "jobs: []\n")
    let script = """
      ip link set lo up && ip addr add \(Self.publicAddress)/32 dev lo \
      && ip addr add \(Self.privateAddress)/32 dev lo \
      && mount --bind '\(hosts.path)' /etc/hosts && exec "$@"
      """
    holder = try Watched(
      program, ["serve", "--config", program.folder.path + "/fetchrun.yaml"],
      launcher: ["/usr/bin/unshare", "--net", "--mount", "/bin/sh", "-c", script, "sh"])
    #expect(holder.wait(forMessage: "serving "))
    news = try Namespace.inside(networkOf: holder.identifier) { try Newsroom(address: "0.0.0.0") }
  }

  private func end() {
    news.stop()
    holder.signal(SIGTERM)
    #expect(holder.end() == 0)
    program.remove()
  }

  /// Overwrites the file in place, because the namespace has this file mounted.
  private func resolve(_ name: String, to addresses: String...) throws {
    let file = try FileHandle(forWritingTo: hosts)
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(addresses.map { "\($0) \(name)\n" }.joined().utf8))
    try file.close()
  }

  private func run(_ name: String, _ path: String) throws -> (
    status: Int32, output: [String], messages: [String]
  ) {
    try run([
      "--plugin", Program.top.path + "/plugins/rss.lua", "--option",
      "url=http://\(name):\(news.port)\(path)", "--store", program.folder.path + "/runs.sqlite",
    ])
  }

  private func run(_ words: [String]) throws -> (
    status: Int32, output: [String], messages: [String]
  ) {
    let enter = ["--target", "\(holder.identifier)", "--net", "--mount"]
    let once = try Watched(program, words, launcher: ["/usr/bin/nsenter"] + enter)
    return (once.end(), once.output, once.messages)
  }

  @Test func `a name that later resolves to a private address gets no request there`() throws {
    defer { end() }
    try resolve("rebind.test", to: Self.publicAddress)
    #expect(try run("rebind.test", "/feed").status == 0)
    #expect(news.visits.count == 1)

    try resolve("rebind.test", to: "127.0.0.1")
    let rebound = try run("rebind.test", "/feed")
    #expect(rebound.status == 1)
    #expect(
      rebound.output.contains {
        $0.contains(
          "rebind.test (127.0.0.1) is a loopback address; allow it with `--allow-private`")
      }, "\(rebound.output) \(rebound.messages)")
    #expect(news.visits.count == 1)
  }

  @Test func `a name with an unreachable public address does not fall back to its private address`()
    throws
  {
    defer { end() }
    try resolve("both.test", to: Self.deadPublicAddress, "127.0.0.1")
    let failed = try run("both.test", "/feed")
    #expect(failed.status == 1)
    #expect(failed.output.contains { $0.hasPrefix("failed ") }, "\(failed.output)")
    #expect(news.visits.isEmpty)
  }

  /// The block is checked for each connection, because the name may resolve to other addresses
  /// later.
  @Test func `a name that later resolves outside the granted block gets no request`() throws {
    defer { end() }
    let config = try program.write(
      "block.yaml",
      """
      store: runs.sqlite
      jobs:
        - name: inside
          plugin: \(Program.top.path)/plugins/rss.lua
          options: {url: "http://inside.test:\(news.port)/feed"}
          allow: {private: 10.1.0.0/16}
      """)
    try resolve("inside.test", to: Self.privateAddress)
    #expect(try run(["run", "--config", config]).status == 0)
    #expect(news.visits.count == 1)
    for (address, kind) in [("127.0.0.1", "a loopback"), ("::ffff:127.0.0.1", "a loopback")] {
      try resolve("inside.test", to: address)
      let left = try run(["run", "--config", config])
      #expect(left.status == 1)
      #expect(
        left.output.contains {
          $0.contains("permission: inside.test (") && $0.contains(") is \(kind) address; ")
        }, "\(left.output) \(left.messages)")
    }
    #expect(news.visits.count == 1)
    try resolve("inside.test", to: Self.privateAddress)
    #expect(try run(["run", "--config", config]).status == 0)
    #expect(news.visits.count == 2)
  }

  /// A webhook, a hook file and a download all pass the same check.
  @Test func `hooks and downloads do not reach private addresses`() throws {
    defer { end() }
    let url = "http://told.test:\(news.port)"
    try program.write(
      "tell.lua",
      """
      return {
        permissions = { http = { "told.test:*" } },
        on_new_data = function() return require("http").post("\(url)/lua", { json = {} }) end,
      }
      """)
    try program.write(
      "load.lua",
      """
      return {
        api = 1, name = "load", version = "1.0.0", permissions = { http = { "told.test:*" } },
        options = { id = { type = "string" } },
        fetch = function(ctx)
          assert(ctx:transfer { url = "\(url)/file", to = "file" .. ctx.options.id })
          return { { id = ctx.options.id } }
        end,
      }
      """)
    func run(_ id: String) throws -> (status: Int32, output: [String], messages: [String]) {
      let config = try program.write(
        "told.yaml",
        """
        store: runs.sqlite
        hooks:
          - { name: posted, webhook: "\(url)/webhook" }
          - { name: tell, lua: ./tell.lua }
        jobs: [{ name: load, plugin: ./load.lua, options: { id: "\(id)" } }]
        """)
      return try self.run(["run", "--config", config])
    }
    try resolve("told.test", to: Self.publicAddress)
    let first = try run("a")
    #expect(first.status == 0, "\(first)")
    #expect(Set(news.visits.map(\.path)) == ["/file", "/lua", "/webhook"], "\(first)")
    let visitCount = news.visits.count

    try resolve("told.test", to: "127.0.0.1")
    let rebound = try run("b")
    let lines = rebound.output + rebound.messages
    let refusals = lines.filter { $0.contains("told.test (127.0.0.1) is a loopback address; ") }
    for who in ["hook 'posted'", "hook 'tell'", "load"] {
      #expect(refusals.contains { $0.contains(who) }, "\(lines)")
    }
    #expect(news.visits.count == visitCount)
  }

  @Test
  func
    `a webhook and mail reach only the addresses of their blocks, whatever the name resolves to`()
    throws
  {
    defer { end() }
    let config = try program.write(
      "blocks.yaml",
      """
      store: runs.sqlite
      hooks:
        - name: posted
          on: [added, noData]
          webhook: { url: "http://inside.test:\(news.port)/webhook", allow_private: [10.1.0.0/16] }
        - name: mail
          on: noData
          email:
            server: smtp://inside.test:\(news.port)
            from: a@b.test
            to: c@d.test
            allow_private: 10.1.0.0/16
      jobs:
        - name: outside
          plugin: \(Program.top.path)/plugins/rss.lua
          options: {url: "http://127.0.0.1:\(news.port)/feed"}
          allow: {private: 127.0.0.1}
      """)
    news.rest()
    try resolve("inside.test", to: Self.privateAddress)
    let first = try run(["run", "--config", config])
    #expect(first.status == 0, "\(first)")
    #expect(news.visits.map(\.path) == ["/feed", "/webhook"], "\(first)")
    try resolve("inside.test", to: "127.0.0.1")
    let rebound = try run(["run", "--config", config])
    let lines = rebound.output + rebound.messages
    for (hook, key) in [("posted", "webhook"), ("mail", "email")] {
      #expect(
        lines.contains {
          $0.contains("hook '\(hook)': ")
            && $0.contains(
              "inside.test (127.0.0.1) is a loopback address; add the address, or a block that "
                + "contains it, to allow_private of \(key) in the config")
        }, "\(lines)")
    }
    #expect(news.visits(of: "inside.test").count == 1)
  }
}
