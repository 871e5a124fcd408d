import FetchValues
import Foundation
import Testing

/// Tests that repeatedly kill `serve` on one store, at random instants, while two dozen feeds grow.
@Suite(.timeLimit(.minutes(5))) struct KillTests {
  let program: Program
  let news: Newsroom
  let lines: StoreLines

  init() throws {
    program = try Program()
    news = try Newsroom(publishes: { $0 })
    lines = StoreLines(program: program)
  }

  private static let killCount = 40
  private static let hostnames = (1...24).map { "s\($0)" }
  private static let slow = "slow"

  private func serve() throws -> Watched {
    try Watched(program, ["serve", "--config", lines.config, "--allow-private", "--json"])
  }

  private func config() -> String {
    "lanes: {\"*\": {gap: 0s}}\njobs:\n" + news.job(Self.slow, at: Self.slow, every: "1s")
      + Self.hostnames.map { news.job($0, at: $0, every: "1s") }.joined()
  }

  @Test func `nothing is lost or duplicated, and a killed run is due again`() throws {
    defer {
      news.stop()
      program.remove()
    }
    let seed = ProcessInfo.processInfo.environment["FETCHRUN_TEST_SEED"].flatMap(UInt64.init)
    var chance = Chance(seed: seed ?? UInt64.random(in: .min ... .max))
    print("KillTests: FETCHRUN_TEST_SEED=\(chance.state)")
    try program.write("fetchrun.yaml", config())
    var told: Set<String> = []
    for round in 0..<Self.killCount {
      told.formUnion(try round % 4 == 0 ? killInARun() : killSomewhere(&chance))
    }
    try theRestIsFetched()
    try allIsThereOnce(told: told)
  }

  /// Kills the daemon at a random instant: soon after its launch, or after some requests. Returns
  /// the runs that the daemon had reported.
  private func killSomewhere(_ chance: inout Chance) throws -> Set<String> {
    let count = chance.below(4) == 0 ? 0 : chance.below(24)
    let pause = Duration.microseconds(chance.below(count == 0 ? 150_000 : 10_000))
    let before = news.visits.count
    let serving = try serve()
    var asking: Running?
    if count > 0 {
      try #require(serving.wait(forMessage: "serving "))
      // Jobs that earlier kills have put in back-off also run.
      asking = try program.start([
        "run", "--no-wait", "--config", lines.config, "--allow-private",
      ])
      news.wait { $0.count >= before + count }
    }
    let end = ContinuousClock.now + pause
    while .now < end { sched_yield() }
    let told = try kill(serving)
    _ = try asking?.wait()
    return told
  }

  /// Kills the daemon while a run waits for its answer. Checks that the next daemon records this
  /// run as abandoned and repeats it. Returns the runs that both daemons had reported.
  private func killInARun() throws -> Set<String> {
    let healthy = try serve()
    // The back-off from earlier kills ends with the first success.
    try succeed(Self.slow, healthy)
    let count = news.visits.count
    news.hold(Self.slow)
    news.waitUntilHeld(Self.slow, after: count)
    // While the daemon serves, the run is under way. Without a daemon, the run is abandoned.
    let abandoned = try runs(of: Self.slow, ended: "abandoned").count
    var told = try kill(healthy)
    #expect(try runs(of: Self.slow, ended: "abandoned").count == abandoned + 1)
    news.free(Self.slow)
    let next = try serve()
    try succeed(Self.slow, next)
    let after = try lines.runs(Self.slow)
    told.formUnion(try kill(next))
    #expect(after.count { $0["failure"]?["code"] == "abandoned" } == abandoned + 1)
    let place = try #require(after.lastIndex { $0["failure"]?["code"] == "abandoned" })
    #expect(after[place]["outcome"] == "failed")
    let retry = try #require(after.dropFirst(place + 1).first)
    #expect(retry["trigger"] == "retry" && retry["outcome"] != "failed")
    return told
  }

  /// Waits until the daemon has reported a successful run of the job. Requests a run if the job is
  /// in back-off after failures.
  private func succeed(_ job: String, _ serving: Watched) throws {
    try #require(serving.wait(forMessage: "serving "))
    if try lines.status()[job]?["state"] == "backOff" {
      #expect(try program.run("run", job, "--no-wait", "--config", lines.config).status == 0)
    }
    let isThere = serving.wait(for: .output) { output in
      output.contains {
        $0.contains("\"job\":\"\(job)\"") && !$0.contains("\"outcome\":\"failed\"")
      }
    }
    #expect(isThere)
  }

  private func kill(_ serving: Watched) throws -> Set<String> {
    serving.signal(SIGKILL)
    #expect(serving.end() == 128 + SIGKILL)
    return Set(try serving.output.compactMap { try JSONReader.decode($0)["run"]?.stringValue })
  }

  private func runs(of job: String, ended code: String) throws -> [Value] {
    try lines.runs(job).filter { $0["failure"]?["code"] == .string(code) }
  }

  /// Runs every job, whether the job is due or not.
  private func theRestIsFetched() throws {
    news.rest()
    let ending = try program.start([
      "run", "--config", lines.config, "--allow-private", "--json",
    ]).wait()
    #expect(ending.status == 0)
    #expect(ending.lines.count == Self.hostnames.count + 1)
    // The last kill may have caused the third failure in a row. The job then reports its recovery.
    let strange = ending.messages.split(separator: "\n").filter {
      !$0.contains("works again after") && !$0.contains(/it failed \d+ times in a row$/)
    }
    #expect(strange.isEmpty)
  }

  private func allIsThereOnce(told: Set<String>) throws {
    let items = try lines.items().compactMap { $0["id"]?.stringValue }
    #expect(Set(items) == news.published)
    #expect(items.count == news.published.count)
    let changes = try lines.changes()
    #expect(changes.allSatisfy { $0["change"] == "added" })
    #expect(changes.compactMap { $0["id"]?.stringValue }.sorted() == items.sorted())
    #expect(
      changes.compactMap { $0["sequence"]?.integerValue } == changes.indices.map { Int64($0 + 1) })

    // Each run has one record. The only failures are those of abandoned runs.
    let runs = try lines.runs()
    let names = runs.compactMap { $0["run"]?.stringValue }
    #expect(Set(names).count == runs.count)
    #expect(told.isSubset(of: names))
    let failures = runs.compactMap { $0["failure"]?["code"]?.stringValue }
    #expect(Set(failures) == ["abandoned"])
    #expect(failures.count >= Self.killCount / 4)
    #expect(runs.count >= news.visits.count)
    let added = runs.reduce(0) { $0 + ($1["added"]?.integerValue ?? 0) }
    #expect(added == Int64(items.count))
    #expect(try program.run("doctor").output.contains("good  store:"))
  }
}
