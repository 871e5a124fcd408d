import FetchValues
import Foundation
import Testing

/// Tests of `serve` on a machine that is busy, on battery or offline according to the kernel.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConditionTests {
  let program: Program
  let lines: StoreLines

  init() throws {
    program = try Program()
    lines = StoreLines(program: program)
  }

  private func serve(_ yaml: String, launcher: [String]) throws -> Watched {
    try program.write("fetchrun.yaml", yaml)
    let serving = try Watched(
      program, ["serve", "--config", lines.config, "--allow-private"], launcher: launcher)
    #expect(serving.wait(forMessage: "serving "))
    return serving
  }

  private func stop(_ serving: Watched) {
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test(
    .enabled(if: Namespace.isAvailable, "only root may show a program other files of the kernel"))
  func `jobs wait for a calm machine and for mains power`() throws {
    defer { program.remove() }
    let news = try Newsroom()
    defer { news.stop() }
    let load = try program.write("load", "9.00 8.00 7.00 1/100 1000\n")
    for (file, line) in [
      ("AC/type", "Mains"), ("AC/online", "0"), ("BAT0/type", "Battery"),
      ("BAT0/status", "Discharging"),
    ] { try program.write("power/" + file, line + "\n") }
    let serving = try serve(
      "jobs:\n" + news.job("free", at: "s1", every: "1h")
        + news.job("calm", at: "s2", every: "1h", more: "conditions: load below 2")
        + news.job("mains", at: "s3", every: "1h", more: "conditions: [ac-power]"),
      launcher: Namespace.showing([
        ("/proc/loadavg", load), ("/sys/class/power_supply", program.folder.path + "/power"),
      ]))
    serving.wait(for: .output) { $0.count == 1 }
    let status = try lines.status()
    #expect(status["free"]?["state"] == "scheduled")
    #expect(status["calm"]?["state"] == "waiting")
    #expect(
      status["calm"]?["why"] == "the load of this machine is 9.00; the job runs only below 2")
    #expect(
      try lines.explain("mains").hasPrefix(
        "mains waits: it runs only on mains power, but this machine is on battery.\n"))

    // The request for a run also causes a check of the machine.
    try program.write("load", "0.50 8.00 7.00 1/100 1000\n")
    #expect(try program.run("run", "free", "--config", lines.config).status == 0)
    news.wait(for: "s2", count: 1)
    #expect(news.visits(of: "s3").isEmpty)
    // Without a request, the machine is checked regularly.
    try program.write("power/AC/online", "1\n")
    news.wait(for: "s3", count: 1)
    serving.wait(for: .output) { $0.count == 4 }
    stop(serving)
    #expect(news.visits.map(\.hostname).sorted() == ["s1", "s1", "s2", "s3"])
    #expect(try lines.runs().allSatisfy { $0["outcome"] != "failed" })
  }

  @Test(.enabled(if: Namespace.hasTwoEnds, "only root may take the network away from a program"))
  func `without a network no job fails, and the jobs return spread out`() throws {
    defer { program.remove() }
    let addresses = (1...8).map { "192.0.2.\($0)" }
    let serving = try serve("jobs: []\n", launcher: Namespace.withoutNetwork)
    let news = try Namespace.inside(networkOf: serving.identifier) {
      try Newsroom(address: "0.0.0.0")
    }
    defer { news.stop() }
    func isOffline(_ line: Value) -> Bool {
      line["state"] == "waiting"
        && line["why"]?.stringValue?.hasPrefix("this machine has been offline since ") == true
    }
    func connect() throws {
      for words in ["link add left type veth peer name right", "link set right up"]
        + addresses.map({ "addr add \($0)/24 dev left" }) + ["link set left up"]
      { #expect(try Namespace.network(of: serving.identifier, words)) }
    }
    try program.write(
      "fetchrun.yaml",
      "jobs:\n"
        + zip(1..., addresses).map { news.job("j\($0)", at: $1, every: "5s") }.joined()
        + news.job("here", at: "s1", every: "1h"))
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded: 9 jobs"))
    // A job whose server is on this machine runs without a network.
    news.wait { $0.count == 1 }
    let status = try lines.status()
    #expect(status.count == 9)
    try #require(status.filter { isOffline($0.value) }.count == 8)
    #expect(try lines.explain("j1").contains("It has never run."))
    #expect(news.visits.map(\.hostname) == ["s1"])

    for round in 1...2 {
      let before = news.visits.count
      try connect()
      news.wait { visits in Set(visits.dropFirst(before).map(\.hostname)).isSuperset(of: addresses)
      }
      // Each job runs once before any job runs twice, because the first runs are spread over less
      // than the jobs' interval.
      #expect(Set(news.visits.dropFirst(before).prefix(8).map(\.hostname)) == Set(addresses))
      #expect(try Namespace.network(of: serving.identifier, "link delete left"))
      while true {
        let jobs = try lines.status().filter { $0.key != "here" }
        #expect(jobs.allSatisfy { $0.value["failures"] == 0 }, "round \(round)")
        if jobs.allSatisfy({ isOffline($0.value) }) { break }
      }
    }
    stop(serving)
    let failures = try lines.runs().compactMap { $0["failure"]?["code"]?.stringValue }
    #expect(Set(failures).isSubset(of: ["offline"]), "\(failures)")
    // Each run that the loss of the network interrupted may have failed once.
    #expect(failures.count <= 2 * 8)
    #expect(!serving.messages.contains { $0.contains("in a row") })
  }
}
