import Foundation
import Testing

/// Tests of the search for the store by verbs that read, maintain or write it, with a config and
/// without one.
@Suite struct StorePlaceTests {
  let program: Program
  private let folder: String

  init() throws {
    program = try Program()
    folder = program.folder.path + "/place"
    try program.write("place/one.lua", Self.plugin("return { { id = 1, title = \"one\" } }"))
    try program.write("place/bad.lua", Self.plugin("error(\"bad\")"))
    try program.write(
      "place/fetchrun.yaml",
      """
      store: kept/store.sqlite
      jobs:
        - { name: one, plugin: ./one.lua }
        - { name: bad, plugin: ./bad.lua }
      """)
  }

  private static func plugin(_ body: String) -> String {
    """
    return {
      api = 1, name = "one", version = "1",
      fetch = function() \(body) end,
    }
    """
  }

  private func fetchrun(_ words: [String], in place: String = "/") throws -> Program.Ending {
    let launcher = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, place]
    return try program.start(words, launcher: launcher).wait()
  }

  private static let verbs: [(words: [String], says: String)] = [
    (["items", "one"], "one"), (["runs", "one"], "newData  one"), (["status"], "one"),
    (["diff", "one", "1"], "the store has only one version of the item"), (["replay"], "bad"),
    (["replay", "bad"], "same  "), (["doctor"], "kept/store.sqlite"),
    (["prune"], "0 rows were pruned"), (["reset", "one", "--yes"], "the job 'one' was reset"),
  ]

  @Test(arguments: verbs) func `the verbs read and maintain the store of the config`(
    words: [String], says: String
  ) throws {
    defer { program.remove() }
    let config = folder + "/fetchrun.yaml"
    #expect(try fetchrun(["run", "--config", config]).status == 1)
    let named = try fetchrun(words + ["--config", config])
    #expect(named.status == 0 && named.said.contains(says), "\(named)")
    if words.first == "reset" { #expect(try fetchrun(["run"], in: folder).status == 1) }
    let found = try fetchrun(words, in: folder)
    #expect(found.status == 0 && found.said.contains(says), "\(found)")
  }

  @Test(.enabled(if: Namespace.isAvailable, "only root may create namespaces"))
  func `doctor finds a folder in which no store can be created`() throws {
    defer { program.remove() }
    let closed = program.folder.path + "/closed"
    try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
    let store = closed + "/deep/news.sqlite"
    let ending = try program.start(
      ["doctor", "--store", store], launcher: Namespace.closing(closed)
    ).wait()
    #expect(ending.status == 1)
    #expect(
      ending.output.contains(
        "bad   store: \(store): there is no store yet, and this user may create no files in the "
          + "folder \(closed): change its permissions, or keep the store elsewhere "), "\(ending)")
  }

  @Test func `a named store overrides the config, which is then not read`() throws {
    defer { program.remove() }
    #expect(try fetchrun(["run"], in: folder).status == 1)
    let other = program.folder.path + "/other.sqlite"
    let once = ["--plugin", folder + "/one.lua", "--job", "other", "--store", other]
    #expect(try fetchrun(once).status == 0)
    let config = folder + "/fetchrun.yaml"
    let both = ["runs", "--config", config, "--store", other]
    let runs = try fetchrun(both)
    #expect(runs.lines.count == 1 && runs.output.contains("newData  other"), "\(runs)")
    try program.write("place/fetchrun.yaml", "stoer: x\njobs: []\n")
    #expect(try fetchrun(both, in: folder).output == runs.output)
  }

  @Test func `a config overrides the environment`() throws {
    defer { program.remove() }
    #expect(try fetchrun(["run"], in: folder).status == 1)
    let runs = try program.run(
      "runs", "--config", folder + "/fetchrun.yaml",
      environment: ["FETCHRUN_STORE": program.folder.path + "/none.sqlite"])
    #expect(runs.lines.count == 2, "\(runs)")
  }

  @Test(arguments: [["items"], ["prune"], ["reset", "one", "--yes"], ["doctor"]])
  func `an invalid config is reported, and no other store is used`(words: [String]) throws {
    defer { program.remove() }
    let config = try program.write("place/fetchrun.yaml", "stoer: x\njobs: []\n")
    let ending = try fetchrun(words + ["--config", config])
    #expect(ending.status == 78)
    #expect(
      ending.messages.contains("\(config):1:1: unknown key 'stoer' (did you mean 'store'?)\n"))
    let missing = try fetchrun(words + ["--config", folder + "/none.yaml"])
    #expect(missing.status == 78)
    #expect(missing.messages.contains("/none.yaml: cannot be read: No such file or directory"))
  }

  @Test func `--plugin uses the same store as the other commands`() throws {
    defer { program.remove() }
    let first = try fetchrun(["--plugin", "./one.lua"], in: folder)
    #expect(first.status == 0 && first.output.hasPrefix("newData  one"), "\(first)")
    #expect(try fetchrun(["items"], in: folder).output.contains("  one"))
    #expect(FileManager.default.fileExists(atPath: folder + "/kept/store.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/fetchrun/store.sqlite"))
    // The job is that of the config, because the plugin is the same.
    #expect(try fetchrun(["run", "one"], in: folder).output.hasPrefix("noData  one"))
    let rehearsed = try fetchrun(["--plugin", folder + "/one.lua", "--dry-run"], in: folder)
    #expect(rehearsed.output.hasPrefix("noData  one"), "\(rehearsed)")
  }

  @Test func `the suggested command lists the items of a run on the command line`() throws {
    defer { program.remove() }
    let body = "local all = {} for i = 1, 60 do all[i] = { id = i } end return all"
    try program.write("place/many.lua", Self.plugin(body))
    for place in ["/", folder] {
      let ending = try fetchrun(["--plugin", folder + "/many.lua", "--job", "many"], in: place)
      #expect(ending.lines.last == "  … and 10 more: fetchrun items")
      #expect(try fetchrun(["items", "--limit", "0"], in: place).lines.count == 60)
    }
  }

  @Test func `the environment overrides the usual place, and --store overrides all`() throws {
    defer { program.remove() }
    let (other, named) = (folder + "/other.sqlite", folder + "/named.sqlite")
    let variable = ["FETCHRUN_STORE": other]
    let launcher = ["/bin/sh", "-c", #"cd / && exec "$@""#, "sh"]
    let once = ["--plugin", folder + "/one.lua"]
    _ = try program.start(once, environment: variable, launcher: launcher).wait()
    #expect(try fetchrun(["items", "--store", other]).lines.count == 1)
    _ = try fetchrun(once + ["--store", named], in: folder)
    #expect(try fetchrun(["items", "--store", named]).lines.count == 1)
    #expect(!FileManager.default.fileExists(atPath: folder + "/kept/store.sqlite"))
  }

  @Test func `--plugin works even if mistakes of the config hide its store`() throws {
    defer { program.remove() }
    try program.write("place/fetchrun.yaml", "stoer: x\njobs: []\n")
    let ending = try fetchrun(["--plugin", "./one.lua"], in: folder)
    #expect(ending.status == 0 && ending.output.hasPrefix("newData  one"), "\(ending)")
    let usual = program.folder.path + "/fetchrun/store.sqlite"
    #expect(
      ending.messages.hasPrefix(
        "fetchrun: warning: `store` from fetchrun.yaml is not used, because the config or its"
          + " `jobs.d` has mistakes: using \(usual); `fetchrun check` lists the mistakes\n"),
      "\(ending.messages)")
    #expect(FileManager.default.fileExists(atPath: usual))
  }

  @Test(arguments: [["items"], ["runs"], ["prune"], ["transfers"], ["deliveries"], ["budget"]])
  func `a missing store is reported with its config`(words: [String]) throws {
    defer { program.remove() }
    let ending = try fetchrun(words, in: folder)
    #expect(ending.status == 1)
    #expect(
      ending.messages.hasSuffix(
        "fetchrun: there is no store at kept/store.sqlite, which fetchrun.yaml names: run a job "
          + "first, or name another store with `--store FILE`\n"), "\(ending.messages)")
  }

  @Test func `before the first run, status and explain answer from the config`() throws {
    defer { program.remove() }
    try program.write(
      "place/fetchrun.yaml",
      """
      store: kept/store.sqlite
      jobs:
        - { name: one, plugin: ./one.lua, interval: 1h, first_run: baseline }
        - { name: off, plugin: ./bad.lua, enabled: false }
      """)
    let state =
      "fetchrun: no daemon is running, and there is no store at kept/store.sqlite yet; showing the"
      + " jobs of the config\n"
    let status = try fetchrun(["status"], in: folder)
    #expect(status.status == 0 && status.messages == state, "\(status)")
    #expect(status.lines.count == 3, "\(status)")
    #expect(status.output.contains("it is due and can start now"), "\(status)")
    #expect(status.output.contains("it is disabled in the config"), "\(status)")
    let explained = try fetchrun(["explain", "one"], in: folder)
    #expect(explained.status == 0 && explained.messages == state, "\(explained)")
    #expect(
      explained.lines == [
        "one waits: it is due and can start now.", "It has never run.",
        "It has had no result yet: the items of its first run are stored and are not news"
          + " (first_run: baseline).",
      ])
    for verb in ["status", "explain"] {
      let unknown = try fetchrun([verb, "onee"], in: folder)
      #expect(unknown.status == 1)
      #expect(
        unknown.messages == state + "fetchrun: there is no job 'onee' (did you mean 'one'?)\n",
        "\(unknown)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder + "/kept"))
    let named = try fetchrun(["status", "--store", folder + "/other.sqlite"], in: folder)
    #expect(named.status == 1, "\(named)")
    #expect(named.messages.contains("there is no store at \(folder)/other.sqlite: "), "\(named)")
  }

  @Test func `without a config, status shows the last runs of plugins`() throws {
    defer { program.remove() }
    func line() throws -> String {
      try program.run(in: "none", ["status", "one", "--json"]).output
    }
    func run(_ plugin: String) throws -> Int32 {
      try program.run(in: "none", ["--plugin", "\(folder)/\(plugin).lua", "--job", "one"]).status
    }
    #expect(try run("one") == 0)
    #expect(try line().contains(#""lastOutcome":"newData","lastSuccessAt":"2"#))
    #expect(try line().contains(#""lastNewDataAt":"2"#))
    #expect(try run("one") == 0)
    #expect(try line().contains(#""lastOutcome":"noData","lastSuccessAt":"2"#))
    #expect(try line().contains(#""lastNewDataAt":"2"#))
    for _ in 0..<2 { #expect(try run("bad") == 1) }
    let failed = try line()
    #expect(failed.contains(#""lastOutcome":"failed","lastSuccessAt":"2"#), "\(failed)")
    #expect(failed.contains(#""failures":2"#), "\(failed)")
    let table = try program.run(in: "none", ["status"]).output
    #expect(table.contains("one  idle   failed  20"), "\(table)")
  }

  @Test func `without a config, status and explain show the jobs of the store`() throws {
    defer { program.remove() }
    let nothing = try program.run(in: "none", ["status"])
    #expect(nothing.status == 78, "\(nothing)")
    #expect(
      nothing.messages.contains("there is no readable config file in this folder or at "),
      "\(nothing)")
    #expect(try program.run(in: "none", ["--plugin", folder + "/one.lua"]).status == 0)
    let unscheduled = "no config with this job was read"
    for (words, text) in [
      (["status"], "\(unscheduled), so its schedule is unknown"),
      (["status", "one", "--json"], "\(unscheduled), so its schedule is unknown"),
      (["explain", "one"], "one has no known schedule: \(unscheduled).\nIt last ran at "),
    ] {
      let ending = try program.run(in: "none", words)
      #expect(ending.status == 0 && ending.output.contains("one"), "\(words): \(ending)")
      #expect(ending.messages.hasPrefix("fetchrun: no daemon is running on "), "\(ending)")
      #expect(ending.messages.split(separator: "\n").count == 1, "\(words): \(ending)")
      // Nothing runs the job at its times, so it must not seem to be due.
      #expect(ending.output.contains(text), "\(words): \(ending)")
      #expect(!ending.output.contains("its schedule has no run yet"), "\(words): \(ending)")
    }
    let unknown = try program.run(in: "none", ["explain", "onee"])
    #expect(unknown.status == 1, "\(unknown)")
    #expect(
      unknown.messages.hasSuffix(
        "; showing the last known state\nfetchrun: there is no job 'onee' (did you mean 'one'?)\n"),
      "\(unknown)")
  }
}

extension StorePlaceTests {
  @Test func `explain answers for a job that the store has and the config does not`() throws {
    defer { program.remove() }
    let store = folder + "/kept/store.sqlite"
    let typed = ["--plugin", folder + "/one.lua", "--job", "typed", "--store", store]
    #expect(try program.run(in: "place", typed).status == 0)
    let explained = try program.run(in: "place", ["explain", "typed"])
    #expect(explained.status == 0, "\(explained)")
    #expect(explained.lines.first == "typed is not in the config, so it has no schedule.")
    #expect(explained.lines.last?.hasPrefix("It last ran at ") == true, "\(explained)")
    let status = try program.run(in: "place", ["status", "typed"])
    #expect(status.status == 1, "\(status)")
    #expect(
      status.messages.hasSuffix(
        "fetchrun: the job 'typed' is not in the config; `fetchrun explain typed` says what the store"
          + " has of it\n"), "\(status)")
  }
}

extension Program.Ending {
  fileprivate var said: String { output + messages }
}
