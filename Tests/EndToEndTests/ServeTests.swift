import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `serve` in real time, as started by an init system, with a server of many hostnames.
@Suite(.serialized) struct ServeTests {
  let program: Program
  let site: Hostnames

  init() throws {
    program = try Program()
    site = try Hostnames()
  }

  private func serve(_ yaml: String, _ arguments: String...) throws -> Watched {
    let config = try program.write("fetchrun.yaml", yaml)
    let serving = try Watched(
      program, ["serve", "--config", config, "--allow-private"] + arguments)
    #expect(serving.wait(forMessage: "serving "))
    return serving
  }

  private func end() {
    site.stop()
    program.remove()
  }

  /// Returns all run records, newest first.
  private func runs(_ job: String...) throws -> [Value] {
    try program.start(["runs", "--limit", "0", "--json"] + job).wait().lines
      .map { try JSONReader.decode($0) }
  }

  private func items() throws -> [String] {
    try program.run("items", "--json", "--limit", "0").lines
  }

  @Test func `jobs of dozens of hostnames run at their due times, and each hostname keeps its gap`()
    throws
  {
    defer { end() }
    let names = (1...24).map { "h\($0)" }
    let gap: Duration = .milliseconds(300)
    let probe = DelayProbe()
    let jobs = names.map {
      site.job("\($0)-a", at: $0, "/a", every: "1s")
        + site.job("\($0)-b", at: $0, "/b", every: "2s")
    }
    let serving = try serve("lanes: {\"*\": {gap: 300ms}}\njobs:\n" + jobs.joined())
    site.wait { visits in
      let counts = Dictionary(grouping: visits, by: \.hostname).mapValues(\.count)
      return names.allSatisfy { counts[$0, default: 0] >= 4 }
    }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    for (_, visits) in Dictionary(grouping: site.visits, by: \.hostname) {
      // The server's thread may record a request late, so some time is tolerated, both in all and
      // between two requests.
      let slack = probe.slack(atLeast: .milliseconds(200))
      let times = visits.map(\.at)
      let span = times[0].duration(to: times[times.count - 1])
      #expect(span >= gap * (times.count - 1) - slack)
      for (before, after) in zip(times, times.dropFirst()) {
        #expect(before.duration(to: after) >= gap - slack)
      }
    }
    // Each request is part of one run, and each run was reported and has a record.
    let runs = try runs()
    #expect(runs.count == site.visits.count)
    #expect(serving.output.count == runs.count)
    #expect(runs.allSatisfy { $0["outcome"] != "failed" })
    #expect(try items().count == 48 * Hostnames.itemsPerFeed)
  }

  @Test func `a feed's ttl is obeyed, reported and stored`() throws {
    defer { end() }
    let yaml =
      "jobs:\n" + site.job("slow", at: "h1", "/ttl", every: "1s")
      + site.job("fast", at: "h2", every: "1s")
    let serving = try serve(yaml)
    serving.wait(for: .output) { lines in
      lines.filter { $0.contains("fast") }.count >= 3 && lines.contains { $0.contains("slow") }
    }
    let config = program.folder.path + "/fetchrun.yaml"
    let status = try program.run("status", "slow", "--config", config).output
    #expect(status.contains("because of the feed's ttl"))
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let explained = try program.run("explain", "slow", "--config", config).output
    #expect(explained.contains("Feed hints: ttl 1h.\n"))
    #expect(site.visits.filter { $0.hostname == "h1" }.count == 1)
  }

  @Test func `SIGTERM starts no more runs, and waits for a slow answer`() throws {
    defer { end() }
    site.hold("h1")
    let serving = try serve(
      "jobs:\n" + site.job("slow", at: "h1", every: "1h") + site.job("fast", at: "h2", every: "1s"))
    site.wait { visits in Set(visits.map(\.hostname)) == ["h1", "h2"] }
    serving.wait(for: .output) { !$0.isEmpty }
    serving.signal(SIGTERM)
    #expect(serving.wait(forMessage: "stopping: "))
    let count = site.visits.count
    site.free("h1")
    #expect(serving.end() == 0)
    #expect(serving.output.contains { $0.hasPrefix("newData  slow  2 added") })
    // One request may have been under way.
    #expect(site.visits.count <= count + 1)
    #expect(try runs().count == site.visits.count)
  }

  @Test(arguments: [true, false])
  func `a second SIGTERM ends the runs immediately, as the end of the grace period does`(
    byGrace: Bool
  ) throws {
    defer { end() }
    site.hold("h1")
    let serving = try serve(
      "jobs:\n" + site.job("slow", at: "h1", every: "1h"), "--grace", byGrace ? "100ms" : "1h")
    site.wait { $0.count == 1 }
    serving.signal(SIGTERM)
    #expect(serving.wait(forMessage: "stopping: 1 run under way; waiting at most "))
    // Signals that arrive soon after the first count as one with it, so one is not enough.
    while !byGrace, serving.output.isEmpty, serving.isRunning {
      serving.signal(SIGTERM)
      sched_yield()
    }
    #expect(serving.end() == 0)
    site.free("h1")
    #expect(serving.output.count == 1)
    #expect(try runs().map { $0["failure"]?["code"] } == ["cancelled"])
  }

  /// timeout(1) sends one signal to the daemon and another signal to its process group.
  @Test func `two simultaneous signals count as one, and the runs may end`() throws {
    defer { end() }
    site.hold("h1")
    let serving = try serve("jobs:\n" + site.job("slow", at: "h1", every: "1h"))
    site.wait { $0.count == 1 }
    serving.signal(SIGTERM)
    serving.signal(SIGINT)
    #expect(serving.wait(forMessage: "stopping: 1 run under way"))
    site.free("h1")
    #expect(serving.end() == 0)
    #expect(serving.output.map { $0.hasPrefix("newData  slow  2 added") } == [true])
  }

  /// The daemon reads its config from a named pipe at first, so the test can wait until the daemon
  /// reads it.
  @Test(arguments: [true, false])
  func `a change of the config during the start, or SIGHUP then, causes a reload`(
    isWatched: Bool
  ) throws {
    defer { end() }
    let path = program.folder.path + "/fetchrun.yaml"
    try #require(mkfifo(path, 0o600) == 0)
    let serving = try Watched(
      program, ["serve", "--config", path, "--allow-private"] + (isWatched ? ["--watch"] : []))
    let pipe = open(path, O_WRONLY | O_CLOEXEC)
    try #require(pipe >= 0 && unlink(path) == 0)
    let first = "jobs:\n" + site.job("a", at: "h1", every: "1h")
    try program.write("fetchrun.yaml", first + site.job("b", at: "h2", every: "1h"))
    if !isWatched { serving.signal(SIGHUP) }
    try FileHandle(fileDescriptor: pipe, closeOnDealloc: true).write(contentsOf: Data(first.utf8))
    #expect(serving.wait(forMessage: "config reloaded: 2 jobs"))
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `SIGHUP applies changes; an invalid file changes nothing and is reported`() throws {
    defer { end() }
    let a = site.job("a", at: "h1", every: "1h")
    let serving = try serve("jobs:\n" + a + site.job("b", at: "h2", every: "1h"))
    serving.wait(for: .output) { $0.count == 2 }
    let path = try program.write(
      "fetchrun.yaml", "jobs:\n" + site.job("c", at: "h3", every: "1h") + a)
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded: 2 jobs"))
    serving.wait(for: .output) { $0.count == 3 }
    #expect(serving.output.last?.hasPrefix("newData  c  2 added") == true)

    let bad = site.job("d", at: "h4", every: "soon")
    let column = 1 + (bad.range(of: "soon").map { bad[..<$0.lowerBound].count } ?? 0)
    try program.write("fetchrun.yaml", "jobs:\n" + bad + "stoer: x\n")
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "still using the previous one"))
    #expect(
      serving.messages.suffix(3) == [
        "fetchrun: \(path):2:\(column): invalid interval 'soon': use never, adaptive,"
          + " a duration such as 15m, or a cron line such as '0 7 * * mon-fri'",
        "fetchrun: \(path):3:1: unknown key 'stoer' (did you mean 'store'?)",
        "fetchrun: config not reloaded: it has errors; still using the previous one",
      ])
    try program.write(
      "fetchrun.yaml",
      "store: other.sqlite\nsecrets_key: k\njobs:\n" + site.job("d", at: "h4", every: "1h"))
    serving.signal(SIGHUP)
    #expect(
      serving.wait(forMessage: "fetchrun: \(path): changing `secrets_key` requires a restart"))
    #expect(
      serving.messages.contains(
        "fetchrun: \(path): changing `store` requires a restart of the daemon"))
    let status = try program.start([
      "status", "--json", "--config", program.write("other.yaml", "jobs: []\n"),
    ]).wait()
    #expect(try status.lines.map { try JSONReader.decode($0)["job"] } == ["a", "c"])
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    #expect(site.visits.map(\.hostname).sorted() == ["h1", "h2", "h3"])
  }

  @Test func `a missing config is an error, and no other config is read instead`() throws {
    defer { end() }
    let jobs = "jobs:\n" + site.job("a", at: "h1", every: "1h")
    let here = try program.write("here/fetchrun.yaml", jobs)
    try program.write(
      ".config/fetchrun/fetchrun.yaml", "jobs:\n" + site.job("b", at: "h2", every: "1h"))
    let serving = try Watched(
      program, ["serve", "--allow-private"],
      launcher: ["/usr/bin/env", "--chdir=\(program.folder.path)/here"])
    serving.wait(for: .output) { $0.count == 1 }
    try FileManager.default.removeItem(atPath: here)
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "still using the previous one"))
    #expect(serving.messages.contains { $0.contains("fetchrun.yaml: cannot be read") })
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    #expect(site.visits.map(\.hostname) == ["h1"])
  }

  @Test func `after kill -9, nothing is lost or duplicated, and the run is due again`()
    throws
  {
    defer { end() }
    site.hold("h1")
    let names = (2...9).map { "h\($0)" }
    let yaml =
      "lanes: {\"*\": {gap: 100ms}}\njobs:\n" + site.job("slow", at: "h1", "/slow", every: "1h")
      + names.map { site.job($0, at: $0, "/\($0)", every: "1s") }.joined()
    let first = try serve(yaml)
    site.wait { visits in
      let counts = Dictionary(grouping: visits, by: \.hostname).mapValues(\.count)
      return counts["h1"] == 1 && names.allSatisfy { counts[$0, default: 0] >= 2 }
    }
    first.signal(SIGKILL)
    #expect(first.end() == 128 + SIGKILL)
    let told = first.output.count
    site.free("h1")
    let second = try serve(yaml)
    second.wait(for: .output) { $0.contains { $0.hasPrefix("newData  slow  2 added") } }
    second.signal(SIGTERM)
    #expect(second.end() == 0)

    let runs = try runs()
    let abandoned = runs.filter { $0["failure"]?["code"] == "abandoned" }
    #expect(abandoned.filter { $0["job"] == "slow" }.count == 1)
    // All runs that were reported before the kill are stored, and the other runs also have a
    // record.
    #expect(runs.count - abandoned.count >= told + second.output.count)
    #expect(runs.count >= site.visits.count)
    #expect(runs.count - abandoned.count <= site.visits.count)
    #expect(try self.runs("slow").map { $0["outcome"] } == ["newData", "failed"])
    let items = try items().map { try JSONReader.decode($0) }
    #expect(items.count == (names.count + 1) * Hostnames.itemsPerFeed)
    #expect(Set(items.compactMap { $0["id"]?.stringValue }).count == items.count)
    #expect(try program.run("doctor").output.contains("good  store:"))
  }

  @Test func `one store has one daemon: another serve reports the process that has the store`()
    throws
  {
    defer { end() }
    let serving = try serve("jobs:\n" + site.job("a", at: "h1", every: "1h"))
    serving.wait(for: .output) { $0.count == 1 }
    let config = program.folder.path + "/fetchrun.yaml"
    let second = try Watched(program, ["serve", "--config", config, "--allow-private"])
    #expect(
      second.wait(
        forMessage: "waiting for the store: a daemon (process \(serving.identifier))"
          + " is writing \(program.usualStore); giving up after 30 s (to fail"
          + " immediately, add --wait 0s)"))
    // By default a daemon waits for the store as long as its grace period, because a daemon that
    // restarts may need that time.
    for arguments in [["--wait", "0s"], ["--grace", "2s"]] {
      let third = try program.run(["serve", "--config", config] + arguments)
      #expect(third.status == 1)
      #expect(
        third.messages.hasSuffix(
          "the store \(program.usualStore) is being written by process \(serving.identifier): stop"
            + " it or wait for it to end, or name another store with `--store "
            + (Program.usesPostgres ? "STORE`\n" : "FILE`\n")))
    }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    #expect(second.wait(forMessage: "serving 1 job of"))
    second.signal(SIGINT)
    #expect(second.end() == 0)
    #expect(site.visits.count == 1)
  }

  @Test func `without jobs serve reports how to add one`() throws {
    let program = try Program()
    defer { program.remove() }
    let config = try program.write("fetchrun.yaml", "jobs: []\n")
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(
      serving.wait(
        forMessage: "\(config) has no jobs: `fetchrun add ADDRESS --config \(config)` adds a feed"))
    #expect(serving.wait(forMessage: "serving 0 jobs"))
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }
}
