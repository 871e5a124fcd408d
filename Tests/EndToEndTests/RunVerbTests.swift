import Foundation
import Testing

/// Tests of `fetchrun run`, which runs jobs of a config now, under the rules of `serve`.
@Suite struct RunVerbTests {
  let program: Program
  let site: Hostnames

  init() throws {
    program = try Program()
    site = try Hostnames()
  }

  private func end() {
    site.stop()
    program.remove()
  }

  private func run(_ arguments: String...) throws -> Program.Ending {
    let config = program.folder.path + "/fetchrun.yaml"
    return try program.start(["run", "--config", config, "--allow-private"] + arguments).wait()
  }

  @Test func `all jobs run each time; with --due, only due ones`() throws {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      "jobs:\n" + site.job("a", at: "h1", every: "1h") + site.job("b", at: "h2", every: "1h"))
    let first = try run()
    #expect(first.status == 0)
    #expect(first.lines.map { $0.prefix(10) }.sorted() == ["newData  a", "newData  b"])
    #expect(first.messages == "")
    let again = try run("b")
    #expect(again.status == 0)
    #expect(again.lines.map { $0.prefix(19) } == ["noData  b  sameBody"])
    #expect(try run("--error-on-no-data").status == 9)
    let due = try run("--due")
    #expect(due.status == 0)
    #expect(due.output + due.messages == "")
    try program.write("jobs.d/new.yaml", "jobs:\n" + site.job("c", at: "h3", every: "1h"))
    let new = try run("--due", "--json")
    #expect(new.status == 0)
    #expect(new.lines.count == 1 && new.output.contains("\"job\":\"c\""))
    #expect(site.visits.count == 6)
  }

  @Test func `with --due, a named job that is not due is reported with its due time`() throws {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      "jobs:\n" + site.job("a", at: "h1", every: "1h") + site.job("b", at: "h2", every: "never"))
    #expect(try run("a").status == 0)
    let due = try run("--due", "a", "b")
    #expect(due.status == 0 && due.output.isEmpty)
    let lines = due.messages.split(separator: "\n").map(String.init)
    try #require(lines.count == 2, "\(due)")
    let config = program.folder.path + "/fetchrun.yaml"
    #expect(lines[0].contains(/^fetchrun: a is not due: it is due at \S+Z \(in \S+\)/))
    #expect(lines[0].hasSuffix("; to run it now, type `fetchrun run a --config \(config)`"))
    #expect(
      lines[1] == "fetchrun: b is not due: its interval is never: it runs only when triggered; to"
        + " run it now, type `fetchrun run b --config \(config)`")
    #expect(site.visits.count == 1)
  }

  @Test func `when the budget is spent, the other jobs do not run, and messages give the reason`()
    throws
  {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      "budget: {requests: 1/h}\njobs:\n" + site.job("a", at: "h1", every: "1h")
        + site.job("b", at: "h2", every: "1h"))
    for arguments in [["a", "b"], ["--due"]] {
      let ending = try program.start(
        ["run", "--config", program.folder.path + "/fetchrun.yaml", "--allow-private"] + arguments
      ).wait()
      #expect(ending.status == 8)
      #expect(
        ending.messages.contains(
          /^fetchrun: b did not run: the budget of 1 request an hour has too little left until \S+Z \(in \S+\)\n$/
        ))
    }
    #expect(site.visits.map(\.hostname) == ["h1"])
  }

  @Test func `a job whose own budget is spent is reported with it, and the other jobs run`() throws
  {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      "jobs:\n"
        + site.job("a", at: "h1", every: "1h").replacing(
          "}\n", with: ", budget: {requests: 1/h}}\n")
        + site.job("b", at: "h2", every: "1h"))
    #expect(try run().status == 0)
    let again = try run()
    #expect(again.status == 8)
    #expect(again.lines.map { $0.prefix(9) } == ["noData  b"])
    #expect(
      again.messages.contains(
        /^fetchrun: a did not run: its own budget of 1 request an hour has too little left until \S+Z \(in \S+\)\n$/
      ))
    let config = program.folder.path + "/fetchrun.yaml"
    let budget = try program.run("budget", "--config", config)
    #expect(budget.output.contains(/\na: requests +1\/h +[01] +0 +0 % +1\n/))
    #expect(
      try program.run("explain", "a", "--config", config).output.contains(
        "Its own budget of requests: 0 available (at most 1), 1 an hour.\n"))
    #expect(site.visits.map(\.hostname).sorted() == ["h1", "h2", "h2"])
  }

  @Test func `a paused job does not run and is reported with the reason, and the other jobs run`()
    throws
  {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      "jobs:\n" + site.job("a", at: "h1", "/gone", every: "1h")
        + site.job("b", at: "h2", every: "1h"))
    let first = try run()
    #expect(first.status == 1)
    #expect(
      first.messages.contains(
        "fetchrun: a: the source answered 410 Gone, so the job is paused: change the source's "
          + "address to resume the job, or remove the job\n"))
    let second = try run()
    #expect(second.status == 8)
    #expect(second.messages.contains(/^fetchrun: a does not run: it was paused at \S+Z\n$/))
    #expect(second.lines.count == 1)
    #expect(try run("--due").status == 0)
    #expect(site.visits.map(\.hostname).sorted() == ["h1", "h2", "h2"])
  }

  @Test func `a signal ends the active runs, and their records are written`() throws {
    defer { end() }
    site.hold("h1")
    site.hold("h2")
    try program.write(
      "fetchrun.yaml",
      "jobs:\n" + site.job("a", at: "h1", every: "1h") + site.job("b", at: "h2", every: "1h"))
    let running = try Watched(
      program,
      ["run", "--config", program.folder.path + "/fetchrun.yaml", "--allow-private", "--json"])
    site.wait { $0.count == 2 }
    running.signal(SIGTERM)
    #expect(running.end() == 143)
    site.free("h1")
    site.free("h2")
    #expect(running.output.filter { $0.contains("\"code\":\"cancelled\"") }.count == 2)
    let runs = try program.run("runs", "--json")
    #expect(runs.lines.filter { $0.contains("\"code\":\"cancelled\"") }.count == 2)
  }
}
