import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `batch`, `digest`, `rate` and `when` of a hook file in Lua, from a config.
@Suite(.timeLimit(.minutes(5))) struct HookBatchTests {
  private let program: Program
  private let receiver: HookReceiver

  init() throws {
    program = try Program()
    receiver = try HookReceiver()
    try program.write("source.lua", HookFileTests.source)
    try program.write("post.lua", HookReceiver.hook)
  }

  private func end() {
    receiver.stop()
    program.remove()
  }

  /// Runs a config with the hook `room` once.
  ///
  /// - Parameters:
  ///   - keys: further keys of the hook.
  ///   - jobs: names of jobs, with their results.
  @discardableResult
  private func run(_ keys: String, jobs: [(String, String)] = [("one", "a, b, c")]) throws
    -> Program.Ending
  {
    let list = jobs.map { name, items in
      "  - { name: \(name), plugin: ./source.lua, options: { items: [\(items)] } }"
    }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      lanes: { "*": { gap: 0s } }
      hooks:
        - name: room
          on: added
          \(keys.replacing("\n", with: "\n    "))
          lua: { file: ./post.lua, allow_private: true, options: { url: "\(receiver.url)/" } }
      jobs:
      \(list.joined(separator: "\n"))

      """)
    let ending = try program.run("run", "--config", config)
    #expect(ending.status == 0, "\(ending)")
    return ending
  }

  private func deliveries(_ words: String...) throws -> [Value] {
    let store = program.store
    let ending = try program.run(["deliveries", "--store", store, "--json"] + words)
    return try ending.lines.map { try JSONReader.decode($0) }
  }

  @Test
  func `with batch: each, the hook file is called once for each item, with a key for each call`()
    throws
  {
    defer { end() }
    try run("batch: each")
    #expect(Set(receiver.visits.map(\.titles)) == [["a"], ["b"], ["c"]])
    #expect(receiver.visits.count == 3 && Set(receiver.visits.map(\.key)).count == 3)
    #expect(try deliveries().isEmpty)
  }

  @Test func `without batch, the hook file is called once for a run`() throws {
    defer { end() }
    try run("dead_after: 1d")
    #expect(receiver.visits.map { Set($0.titles) } == [["a", "b", "c"]])
  }

  @Test func `when selects the items of the calls, and no selected item means no call`() throws {
    defer { end() }
    try run("when: title in [\"b\", \"c\"] and job != \"two\"\nbatch: each")
    #expect(Set(receiver.visits.map(\.titles)) == [["b"], ["c"]])
    try run(
      "when: title in [\"b\", \"c\"] and job != \"two\"",
      jobs: [("one", "a, b, c, d"), ("two", "b, c")])
    #expect(receiver.visits.count == 2, "\(receiver.visits)")
  }

  @Test func `a digest is one call with the news of all jobs`() throws {
    defer { end() }
    let jobs = [("one", "a, b"), ("two", "c")]
    try run("digest: 31d", jobs: jobs)
    #expect(receiver.visits.isEmpty)
    let waiting = try deliveries()
    #expect(Set(waiting.compactMap { $0["job"]?.stringValue }) == ["one", "two"])
    let store = program.store
    for delivery in waiting {
      let id = "\(delivery["id"]?.integerValue ?? 0)"
      #expect(try program.run("deliveries", "retry", id, "--store", store).status == 0)
    }
    try run("digest: 31d", jobs: jobs)
    #expect(receiver.visits.map { Set($0.titles) } == [["a", "b", "c"]], "\(receiver.visits)")
    #expect(try deliveries().isEmpty)
  }

  @Test func `a rate limits the calls, and the other deliveries wait`() throws {
    defer { end() }
    try run("rate: 2/h\nbatch: each")
    #expect(receiver.visits.count == 2)
    let waiting = try deliveries()
    #expect(waiting.count == 1)
    #expect(waiting.first?["state"] == "pending" && waiting.first?["attempts"] == 0, "\(waiting)")
    // The rate also applies to the next process.
    try run("rate: 2/h\nbatch: each")
    #expect(receiver.visits.count == 2)
    // Without the rate, the call is made.
    try run("batch: each")
    #expect(Set(receiver.visits.map(\.titles)) == [["a"], ["b"], ["c"]])
    #expect(try deliveries().isEmpty)
  }
}
