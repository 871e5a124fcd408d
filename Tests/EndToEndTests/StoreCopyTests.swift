import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun store`. A store is copied from a file to a database and back, and each copy
/// gives the same output.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct StoreCopyTests {
  private let program: Program
  private let config: String
  private let file: String
  private let database: String

  init() throws {
    program = try Program()
    file = program.folder.path + "/first.sqlite"
    database = try #require(PostgresServer.shared).newDatabase().path
    try program.write(
      "counter.lua",
      """
      return {
        api = 1, name = "counter", version = "1.0.0",
        permissions = { http = { "127.0.0.1" } },
        options = { fails = { type = "boolean", default = false } },
        fetch = function(ctx)
          ctx.state.n = (ctx.state.n or 0) + 1
          if ctx.options.fails then error("the source is gone") end
          return {
            { id = "a", title = "ä \\0 " .. ctx.state.n, url = "https://a.example/" .. ctx.state.n },
            { id = "b" .. ctx.state.n, title = "more" },
          }
        end,
      }
      """)
    config = try program.write(
      "fetchrun.yaml",
      """
      store: \(file)
      allow_private: true
      hooks: [{ name: desk, command: ["false"], on: [added, updated, failed] }]
      jobs:
        - { name: one, plugin: ./counter.lua, interval: 1h }
        - { name: "zwei ü", plugin: ./counter.lua, interval: adaptive }
        - { name: gone, plugin: ./counter.lua, options: { fails: true } }
      """)
    for _ in 1...2 { _ = try program.run("run", "--config", config) }
  }

  /// Returns the output of several commands about a store.
  private func shown(_ store: String) throws -> [String] {
    try [
      ["items", "--json", "--limit", "0"], ["items", "--json", "--since", "0"],
      ["runs", "--json", "--limit", "0"], ["deliveries", "--json"], ["transfers", "--json"],
      ["diff", "one", "a", "--json"], ["replay", "--json"],
      ["status", "--json", "--config", config], ["explain", "one", "--json", "--config", config],
      ["explain", "zwei ü", "--json", "--config", config],
      ["explain", "gone", "--json", "--config", config],
      ["permissions", "one", "--json", "--config", config],
    ].flatMap { words in
      let ending = try program.run(words + ["--store", store])
      #expect(ending.status == 0, "\(words): \(ending.messages)")
      // The time that is left differs between two calls.
      return ending.lines.map { $0.replacing(/\s\(in [^)]*\)/, with: "") }
    }
  }

  @Test func `a store that goes to a database and back shows the same`() throws {
    defer { program.remove() }
    let back = program.folder.path + "/back.sqlite"
    let before = try shown(file)
    #expect(before.count > 25)
    let there = try program.run("store", "copy", file, database, "--json")
    #expect(there.status == 0, "\(there.messages)")
    #expect(try shown(database) == before)
    let here = try program.run("store", "copy", database, back, "--json")
    #expect(here.status == 0, "\(here.messages)")
    #expect(here.lines == there.lines)
    #expect(try shown(back) == before)
    // Numbers continue in the copies.
    let next = [
      "--plugin", program.folder.path + "/counter.lua", "--job", "one", "--json", "--store",
    ]
    let runs = try [file, database, back].map { store in
      try program.run(next + [store]).lines.first { $0.contains(#""id":"a""#) }?
        .replacing(/"seenAt":"[^"]*"/, with: "")
    }
    #expect(runs[0] != nil)
    #expect(Set(runs).count == 1, "\(runs)")
  }

  @Test func `a store is never copied over another, and a failed copy leaves nothing`() throws {
    defer { program.remove() }
    #expect(try program.run("store", "copy", file, database).status == 0)
    let again = try program.run("store", "copy", file, database)
    #expect(again.status == 1)
    #expect(
      again.messages
        == "fetchrun: the store \(database) has data already: copy into a new store or database\n")
    let same = try program.run("store", "copy", file, file)
    #expect(same.messages == "fetchrun: both stores are \(file): name another store for the copy\n")
    let missing = try program.run("store", "copy", file + "x", database)
    #expect(missing.status == 1)
    #expect(missing.messages.hasPrefix("fetchrun: there is no store at \(file)x"))
  }

  @Test func `the facts of a store are shown`() throws {
    defer { program.remove() }
    _ = try program.run("store", "copy", file, database)
    for (store, name) in [(file, "SQLite "), (database, "PostgreSQL ")] {
      let line = try #require(
        try program.run("store", "info", "--json", "--store", store).lines.first)
      let info = try JSONReader.decode(line)
      #expect(info["store"]?.stringValue == store)
      #expect(info["database"]?.stringValue?.hasPrefix(name) == true)
      #expect(info["jobs"] == 3)
      #expect((info["bytes"]?.integerValue ?? 0) > 0)
    }
    let doctor = try program.run("doctor", "--store", database)
    #expect(doctor.output.contains("good  store: \(database): sound, 3 jobs, "))
    #expect(
      doctor.output.contains("weak  store: the server of the store \(database) has the setting"))
    let migrated = try program.run("store", "migrate", "--store", database)
    #expect(migrated.messages == "fetchrun: the store \(database) already has format 1\n")
  }

  @Test func `a dry run on a database compares with its items and stores nothing`() throws {
    defer { program.remove() }
    _ = try program.run("store", "copy", file, database)
    let before = try shown(database)
    let words = [
      "--plugin", program.folder.path + "/counter.lua", "--job", "one", "--store", database,
    ]
    let dry = try program.run(words + ["--dry-run", "--json"])
    #expect(dry.status == 0, "\(dry.messages)")
    #expect(dry.lines.contains { $0.contains(#""change":"updated""#) }, "\(dry.output)")
    #expect(try shown(database) == before)
  }
}
