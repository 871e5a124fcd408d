import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun run` while a daemon serves the store. For each job that the daemon runs, the
/// output is that of a local run.
@Suite(.serialized) struct DaemonRunTests {
  let program: Program
  let site: Hostnames

  init() throws {
    program = try Program()
    site = try Hostnames()
  }

  private var config: String { program.folder.path + "/fetchrun.yaml" }

  private func serve(_ yaml: String, _ arguments: String...) throws -> Watched {
    try program.write("fetchrun.yaml", yaml)
    let serving = try Watched(
      program, ["serve", "--config", config, "--allow-private"] + arguments)
    #expect(serving.wait(forMessage: "serving "))
    return serving
  }

  private func run(_ arguments: String...) throws -> Program.Ending {
    try program.start(["run", "--config", config] + arguments).wait()
  }

  private func end(_ serving: Watched) {
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    site.stop()
    program.remove()
  }

  /// Starts a daemon, and waits until its jobs a and b have run once. Lanes do not delay these
  /// jobs.
  private func servedTwo(_ arguments: String...) throws -> Watched {
    let yaml =
      "lanes: {\"*\": {gap: 0s}}\njobs:\n" + site.job("a", at: "h1", every: "1h")
      + site.job("b", at: "h2", every: "1h")
    try program.write("fetchrun.yaml", yaml)
    let serving = try serve(yaml, "--json")
    serving.wait(for: .output) { $0.count == 2 }
    return serving
  }

  @Test func `text output is that of a local run`() throws {
    let serving = try servedTwo()
    let one = try run("b")
    #expect(one.status == 0)
    #expect(one.messages == "")
    #expect(one.lines.count == 1)
    #expect(
      one.output.contains(
        /^noData  b  sameBody  \(1 request, \S+ bytes, [0-9.]+ s, [0-9.]+ s CPU\)\n$/))
    let all = try run()
    #expect(
      all.lines.map { $0.prefix(19) }.sorted() == ["noData  a  sameBody", "noData  b  sameBody"])
    #expect(try run("a", "--error-on-no-data").status == 9)
    end(serving)
  }

  @Test func `a job that the daemon has not read yet is named as such`() throws {
    let serving = try servedTwo()
    let yaml = try String(contentsOfFile: config, encoding: .utf8)
    try program.write("fetchrun.yaml", yaml + site.job("added", at: "h3", every: "1h"))
    let advice = """
      fetchrun: there is no job 'added'
      fetchrun: \(config) has this job, but the daemon has not read the file since then: send the \
      daemon SIGHUP (`systemctl reload fetchrun` for the service), or use `fetchrun serve --watch`

      """
    let one = try run("added")
    #expect(one.status == 1)
    #expect(one.messages == advice)
    for verb in ["explain", "pause"] {
      #expect(try program.run(verb, "added", "--config", config).messages == advice)
    }
    // A job that nobody has gets no such advice.
    let other = try program.run("explain", "nobody", "--config", config)
    #expect(other.messages == "fetchrun: there is no job 'nobody'\n")
    end(serving)
  }

  @Test func `JSON output equals the daemon's stored records`() throws {
    let serving = try servedTwo()
    let all = try run("--json")
    #expect(all.status == 0)
    #expect(all.messages == "")
    serving.wait(for: .output) { $0.count == 4 }
    #expect(all.lines.sorted() == serving.output.suffix(2).sorted())
    #expect(all.lines.allSatisfy { $0.contains("\"trigger\":\"manual\"") })
    #expect(site.visits.count == 4)
    end(serving)
  }

  @Test func `failures, refusals and exit statuses are those of a local run`() throws {
    try program.write(
      "noisy.lua",
      """
      local log = require "log"
      return {
        api = 1, name = "noisy", version = "1",
        fetch = function(ctx)
          log.warn("careful")
          local nothing
          return nothing.field
        end,
      }
      """)
    let yaml =
      "plugins: [.]\njobs:\n" + site.job("a", at: "h1", "/gone", every: "never")
      + "  - {name: noisy, plugin: noisy, interval: never}\n"
      + "  - {name: off, plugin: noisy, enabled: false}\n"
    let serving = try serve(yaml)
    // Runs the job without a daemon, on a separate store.
    func local(_ job: String) throws -> Program.Ending {
      try program.start([
        "run", job, "--config", config, "--allow-private", "--store",
        program.folder.path + "/local.sqlite",
      ]).wait()
    }
    for job in ["noisy", "a", "off"] {
      let (there, here) = (try run(job), try local(job))
      #expect(there.status == 1)
      #expect(here.status == 1)
      #expect(there.messages == here.messages)
      func withoutCost(_ text: String) -> String { String(text.prefix { $0 != "(" }) }
      #expect(withoutCost(there.output) == withoutCost(here.output))
    }
    let paused = (try run("a"), try local("a"))
    #expect(paused.0.status == 8)
    #expect(
      paused.0.messages.contains(/^fetchrun: a does not run: it was paused at \S+Z\n$/))
    #expect(paused.1.status == 8)
    let unknown = (try run("noisy", "nosy"), try local("nosy"))
    #expect(unknown.0.status == 78)
    #expect(unknown.0.messages == unknown.1.messages)
    #expect(try program.run("runs", "--json").lines.count == 3)
    end(serving)
  }

  @Test func `a spent budget postpones a job, with the reason`() throws {
    let serving = try serve(
      "budget: {requests: 1/h}\njobs:\n" + site.job("a", at: "h1", every: "never"))
    #expect(try run("a").status == 0)
    let again = try run("a")
    #expect(again.status == 8)
    #expect(
      again.messages.contains(
        /^fetchrun: a did not run: the budget of 1 request an hour has too little left until \S+Z \(in \S+\)\n$/
      ))
    #expect(site.visits.count == 1)
    end(serving)
  }

  @Test func `an interruption ends the command's wait and not the run`() throws {
    let serving = try servedTwo()
    site.hold("h1")
    let waiting = try Watched(program, ["run", "a", "--config", config])
    site.wait { $0.count == 3 }
    waiting.signal(SIGINT)
    #expect(waiting.end() == 130)
    #expect(
      waiting.messages == [
        "fetchrun: no longer waiting; the daemon continues the runs: see fetchrun runs"
      ])
    #expect(waiting.output == [])
    site.free("h1")
    serving.wait(for: .output) { $0.count == 3 }
    #expect(serving.output.last?.contains("\"outcome\":\"noData\"") == true)
    end(serving)
  }

  @Test func `two clients that wait for one job get one run`() throws {
    let serving = try servedTwo()
    site.hold("h1")
    let first = try Watched(program, ["run", "a", "--config", config, "--json"])
    site.wait { $0.count == 3 }
    let second = try Watched(program, ["run", "a", "--config", config, "--json"])
    let status = try program.run("status", "a", "--config", config)
    #expect(status.output.contains("running"))
    // If the second request arrives only after the end of the run, it still gets one result.
    site.free("h1")
    #expect(first.end() == 0)
    #expect(second.end() == 0)
    #expect(first.output.count == 1 && second.output.count == 1)
    end(serving)
  }

  @Test func `a stopped daemon reports the results of the runs`() throws {
    let serving = try serve(
      "budget: {runs: 1}\njobs:\n" + site.job("a", at: "h1", every: "never")
        + site.job("b", at: "h2", every: "never"))
    site.hold("h1")
    let first = try Watched(program, ["run", "a", "--config", config])
    site.wait { $0.count == 1 }
    serving.signal(SIGTERM)
    #expect(serving.wait(forMessage: "stopping: 1 run under way"))
    let second = try Watched(program, ["run", "b", "--config", config])
    #expect(second.end() == 8)
    #expect(second.messages == ["fetchrun: b did not run: the daemon is stopping"])
    site.free("h1")
    #expect(first.end() == 0)
    #expect(first.output.map { $0.prefix(16) } == ["newData  a  2 ad"])
    #expect(serving.end() == 0)
    site.stop()
    program.remove()
  }

  @Test func `with --no-wait the command only requests the runs`() throws {
    let serving = try servedTwo()
    site.hold("h1")
    let handed = try run("a", "--no-wait")
    #expect(handed.status == 0)
    #expect(handed.output == "a: due\n")
    #expect(
      handed.messages
        == "fetchrun: the daemon of this store runs the jobs that were not skipped; see fetchrun"
        + " runs\n")
    let wrong = try run("--no-wait", "--error-on-no-data")
    #expect(wrong.status == 64)
    site.free("h1")
    serving.wait(for: .output) { $0.count == 3 }
    let due = try run("--due", "--no-wait")
    #expect(
      due.messages == "fetchrun: the daemon of this store runs the due jobs; see fetchrun runs\n")
    #expect(due.output == "")
    end(serving)
  }

  @Test func `with --due, jobs that are not due do not run`() throws {
    let serving = try servedTwo()
    let none = try run("--due")
    #expect(none.status == 0)
    #expect(none.output + none.messages == "")
    #expect(site.visits.count == 2)
    end(serving)
  }

  @Test func `with --due, a due job that cannot start is skipped, with the reason`() throws {
    let serving = try serve(
      "budget: {requests: 1/h}\njobs:\n" + site.job("a", at: "h1", every: "1h"))
    serving.wait(for: .output) { $0.count == 1 }
    try program.write(
      "fetchrun.yaml",
      "budget: {requests: 1/h}\njobs:\n" + site.job("a", at: "h1", every: "1h")
        + site.job("b", at: "h2", every: "1h") + site.job("c", at: "h2", every: "never"))
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded: 3 jobs"))
    let due = try run("--due")
    #expect(due.status == 8)
    #expect(
      due.messages.contains(
        /^fetchrun: b did not run: the budget of 1 request an hour has too little left until \S+Z \(in \S+\)\n$/
      ))
    #expect(try run("--due", "a", "c").status == 0)
    #expect(site.visits.count == 1)
    end(serving)
  }

  @Test func `with --due, the command waits for the runs under way`() throws {
    site.hold("h1")
    let serving = try serve("jobs:\n" + site.job("a", at: "h1", every: "1h"))
    site.wait { $0.count == 1 }
    let waiting = try Watched(program, ["run", "--due", "--config", config])
    waiting.waitUntilItReceives(SIGINT)
    // A command that did not wait would have ended long before the output of `status`.
    #expect(try program.run("status", "a", "--config", config).output.contains("running"))
    waiting.signal(SIGINT)
    #expect(waiting.end() == 130)
    #expect(
      waiting.messages == [
        "fetchrun: no longer waiting; the daemon continues the runs: see fetchrun runs"
      ])
    site.free("h1")
    serving.wait(for: .output) { $0.count == 1 }
    end(serving)
  }
}
