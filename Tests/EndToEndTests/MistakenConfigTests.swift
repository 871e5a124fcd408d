import Foundation
import Testing

/// Tests of verbs that need only a config's store, while other parts of the config have mistakes.
@Suite(.serialized) struct MistakenConfigTests {
  private let program: Program
  private let config: String
  private let jobs: String

  init() throws {
    program = try Program()
    let plugin = try program.write(
      "quiet.lua",
      "return { api = 1, name = \"quiet\", version = \"1\", fetch = function() end }")
    jobs = "store: kept.sqlite\njobs:\n  - {name: q, plugin: \(plugin), interval: never}\n"
    config = try program.write("fetchrun.yaml", jobs)
  }

  private static let mistakes = [
    (before: "foo: 1\n", says: "1:1: unknown key 'foo'"),
    (before: "lanes: {\"*\": {gapp: 500ms}}\n", says: "1:15: unknown key 'gapp'"),
    (before: "budget: {requets: 1/h}\n", says: "1:10: unknown key 'requets'"),
  ]

  private static let verbs: [(words: [String], says: String)] = [
    (["status"], "q "), (["status", "--json"], "\"job\":\"q\""),
    (["explain", "q"], "q runs only when triggered"), (["budget"], "runs"),
    (["pause", "q"], "q: is paused"), (["resume", "q"], "q: is resumed"),
    (["push", "q"], "q: due"),
  ]

  @Test(arguments: mistakes)
  func `a request reaches the daemon despite mistakes in other parts of the config`(
    before: String, says: String
  ) throws {
    defer { program.remove() }
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 1 job"))
    try program.write("fetchrun.yaml", before + jobs)
    let warning = "fetchrun: warning: only parts of the config are used, since it has a mistake: "
    for verb in Self.verbs {
      let ending = try program.run(verb.words + ["--config", config])
      #expect(ending.status == 0 && ending.output.contains(verb.says), "\(verb): \(ending)")
      #expect(ending.messages.hasPrefix("\(warning)\(config):\(says)"), "\(verb): \(ending)")
      #expect(ending.messages.split(separator: "\n").count == 1, "\(verb): \(ending)")
    }
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config not reloaded: it has errors"))
    #expect(try program.run("status", "--config", config).status == 0)
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `a request reaches the daemon of a named store whatever the config has`() throws {
    defer { program.remove() }
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 1 job"))
    try program.write("fetchrun.yaml", "store: [\n" + jobs)
    let ending = try program.run("status", "--config", config)
    #expect(ending.status == 78 && ending.output.isEmpty)
    #expect(ending.messages.contains("\(config):1:8: not YAML"), "\(ending)")
    #expect(
      ending.messages.hasSuffix(
        "fetchrun: to run without the config, add `--store FILE` with the daemon's store\n"),
      "\(ending)")
    let store = program.folder.path + "/kept.sqlite"
    let named = try program.run("status", "--config", config, "--store", store)
    #expect(named.status == 0 && named.messages.isEmpty, "\(named)")
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test(arguments: [
    ["items"], ["runs"], ["doctor"], ["prune"], ["replay"], ["reset", "q", "--yes"],
  ])
  func `verbs that only read the store need only its path from the config`(words: [String]) throws {
    defer { program.remove() }
    #expect(try program.run("run", "--config", config).status == 0)
    try program.write("fetchrun.yaml", "foo: 1\nbar: 1\n" + jobs)
    let ending = try program.run(words + ["--config", config])
    #expect(ending.status == 0)
    #expect(
      ending.messages.hasPrefix(
        "fetchrun: warning: only parts of the config are used, since it has a mistake:"
          + " \(config):1:1: unknown key 'foo'; `fetchrun check --config \(config)` lists all"
          + " mistakes\n"),
      "\(ending)")
    #expect(ending.messages.components(separatedBy: "warning").count == 2)
  }

  @Test func `without a daemon, verbs that need the jobs report all mistakes`() throws {
    defer { program.remove() }
    try program.write("fetchrun.yaml", "foo: 1\nbar: 1\n" + jobs)
    let ending = try program.run("status", "--config", config)
    #expect(ending.status == 78)
    #expect(
      ending.messages
        == "fetchrun: \(config):1:1: unknown key 'foo'\nfetchrun: \(config):2:1: unknown key 'bar'\n"
    )
  }

  /// The mistakes: text before the jobs, further keys of a job, and the message.
  private static let shown = [
    (before: "foo: 1\n", keys: "", says: ":1:1: unknown key 'foo'"),
    (before: "", keys: ", options: {x: 1}", says: "unknown option 'x'"),
    (before: "", keys: ", intervall: 1h", says: "unknown key 'intervall'"),
  ]

  @Test(arguments: shown) func `status and explain show the store's jobs nevertheless`(
    before: String, keys: String, says: String
  ) throws {
    defer { program.remove() }
    #expect(try program.run("run", "--config", config).status == 0)
    try program.write(
      "fetchrun.yaml",
      before + jobs.replacing("interval: never", with: "interval: never" + keys))
    let state =
      "fetchrun: no daemon is running on \(program.folder.path)/kept.sqlite; showing the last known"
      + " state\n"
    let verbs = [(["status"], "q "), (["explain", "q"], "q "), (["status", "q"], "noData")]
    for (verb, shows) in verbs {
      let ending = try program.run(verb + ["--config", config])
      #expect(ending.status == 78)
      #expect(ending.output.contains(shows), "\(verb): \(ending)")
      #expect(ending.messages.contains(says) && ending.messages.hasSuffix(state), "\(ending)")
    }
    let json = try program.run("status", "--json", "--config", config)
    #expect(json.lines.contains { $0.contains("\"lastOutcome\":\"noData\"") }, "\(json)")
    // With a mistaken config, these verbs pause nothing and print no state.
    for verb in [["pause", "q"], ["budget"]] {
      let ending = try program.run(verb + ["--config", config])
      #expect(ending.status == 78 && !ending.messages.contains("no daemon"), "\(ending)")
    }
  }
}
