import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun --plugin` while a daemon serves the store. If the daemon runs the plugin, the
/// output is that of a local run.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DaemonOnceTests {
  private let program: Program
  private let site: Hostnames

  init() throws {
    program = try Program()
    site = try Hostnames()
  }

  private var config: String { program.folder.path + "/fetchrun.yaml" }

  private func serve(_ yaml: String) throws -> Watched {
    try program.write("fetchrun.yaml", yaml)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    let serving = try Watched(program, ["serve", "--config", config, "--allow-private", "--json"])
    #expect(serving.wait(forMessage: "serving "))
    return serving
  }

  private func end(_ serving: Watched) {
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    site.stop()
    program.remove()
  }

  private func once(_ arguments: String...) throws -> Program.Ending {
    try program.start(["--plugin"] + arguments).wait()
  }

  private var rss: [String] { ["rss", "--option", "url=\(site.url("h1", "/feed"))"] }

  private func withoutCost(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.prefix { $0 != "(" }) }
  }

  @Test func `items, outcome and messages are those of a local run`() throws {
    let serving = try serve("jobs:\n" + site.job("a", at: "h2", every: "never"))
    for arguments in [["--allow-private"], []] {
      let there = try program.start(["--plugin"] + rss + arguments).wait()
      let here = try program.start(
        ["--plugin"] + rss + arguments + ["--store", program.folder.path + "/here.sqlite"]
      ).wait()
      #expect(there.status == here.status)
      #expect(there.messages == here.messages)
      #expect(
        withoutCost(there.output).map { $0.split(separator: " ").last }
          == withoutCost(here.output).map { $0.split(separator: " ").last })
    }
    let json = try program.start(
      ["--plugin"] + rss + ["--allow-private", "--json", "--job", "other"]
    ).wait()
    #expect(json.lines.count == 3)
    #expect(json.lines.prefix(2).allSatisfy { $0.contains("\"change\":\"added\"") })
    #expect(serving.wait(for: .output) { $0.count == 3 })
    #expect(json.lines.last == serving.output.last)
    let none = try program.start(
      ["--plugin"] + rss + ["--allow-private", "--error-on-no-data"]
    ).wait()
    #expect(none.status == 9)
    // The job of a command (a guest job) disappears after its run.
    #expect(try program.run("status", "--config", config, "--json").lines.count == 1)
    end(serving)
  }

  @Test func `grants of a command are for its run alone, and hooks of the config are not notified`()
    throws
  {
    let receiver = try HookReceiver()
    defer { receiver.stop() }
    let serving = try Watched(
      program,
      [
        "serve", "--config",
        try program.write(
          "fetchrun.yaml",
          """
          hooks:
            - {name: web, webhook: {url: "\(receiver.url)/", allow_private: true}}
          jobs:
            - {name: mine, plugin: rss, options: {url: "\(site.url("h1", "/feed"))"}, interval: never}

          """),
      ])
    #expect(serving.wait(forMessage: "serving "))
    let once = try program.start(["--plugin"] + rss + ["--allow-private"]).wait()
    #expect(once.status == 0 && once.output.hasPrefix("newData "))
    // The job of the config requests the same address without permission.
    let job = try program.run("run", "mine", "--config", config)
    #expect(job.status == 1 && job.output.contains("permission"))
    let taken = try program.start(["--plugin"] + rss + ["--job", "mine", "--allow-private"]).wait()
    #expect(taken.status == 1)
    #expect(
      taken.messages.hasSuffix(
        "fetchrun: the daemon of this store has a job 'mine': run the job with `fetchrun run mine`,"
          + " or give this run another name with --job\n"))
    #expect(receiver.visits.isEmpty)
    end(serving)
  }

  @Test
  func `options that only this process can apply are refused, with the command to type instead`()
    throws
  {
    let serving = try serve("jobs:\n" + site.job("a", at: "h2", every: "never"))
    try program.write(
      "secret.lua",
      """
      return {
        api = 1, name = "secret", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" }, secrets = { token = { hosts = { "{options.url}" } } } },
        fetch = function(ctx)
          local answer = assert(require("http").get(ctx.options.url, { bearer = ctx:secret("token") }))
          return { { id = "1", title = "asked" } }
        end,
      }
      """)
    let plugin = program.folder.path + "/secret.lua"
    let arguments = [plugin, "--option", "url=\(site.url("h1", "/feed"))", "--allow-private"]
    let refused = try program.start(
      ["--plugin"] + arguments + ["--secret", "token=env:TOKEN", "--on-new", "cat", "--insecure"],
      environment: ["TOKEN": "s3cr3t-of-this-process"]
    ).wait()
    #expect(refused.status == 64)
    #expect(
      refused.messages.hasSuffix(
        """
        fetchrun: a daemon uses this store: run without --on-new, --insecure, which the daemon \
        cannot accept
        fetchrun: a daemon uses this store, and cannot read the secret 'token' from the \
        environment \
        variable TOKEN of this command: store it with `fetchrun secret set token` and give \
        --secret \
        token=stored:token
        fetchrun: or run the plugin on a separate store: --store try.sqlite

        """))
    #expect(site.visits.isEmpty)
    let file = try program.write("token", "s3cr3t-of-a-file")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let read = try program.start(["--plugin"] + arguments + ["--secret", "token=file:\(file)"])
      .wait()
    #expect(read.status == 0 && read.output.contains("asked"), "\(read)")
    #expect(site.visits.count == 1)
    end(serving)
  }

  @Test func `the daemon's budget and pauses also apply to the command's run`() throws {
    let serving = try serve(
      "budget: {requests: 1/h}\njobs:\n" + site.job("a", at: "h2", every: "never"))
    let first = try program.start(["--plugin"] + rss + ["--allow-private"]).wait()
    #expect(first.status == 0)
    let second = try program.start(["--plugin"] + rss + ["--allow-private"]).wait()
    #expect(second.status == 8)
    #expect(second.messages.contains("did not run: the budget of 1 request"))
    #expect(try program.run("pause", "--all", "--config", config).status == 0)
    let paused = try program.start(["--plugin"] + rss + ["--allow-private"]).wait()
    #expect(paused.status == 8)
    #expect(paused.messages.contains("does not run: "))
    #expect(site.visits.count == 1)
    end(serving)
  }

  @Test func `neither a reload nor a client that disconnects ends the run`() throws {
    let yaml = "jobs:\n" + site.job("a", at: "h2", every: "never")
    let serving = try serve(yaml)
    site.hold("h1")
    let waiting = try Watched(program, ["--plugin"] + rss + ["--allow-private", "--json"])
    site.wait { $0.count == 1 }
    try program.write("fetchrun.yaml", yaml + site.job("b", at: "h3", every: "never"))
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded"))
    // The job's name is reserved during its run.
    let again = try program.start(["--plugin"] + rss + ["--allow-private"]).wait()
    #expect(again.status == 1 && again.messages.contains("has a job 'rss-"))
    waiting.signal(SIGINT)
    #expect(waiting.end() == 130)
    #expect(waiting.messages.last?.hasPrefix("fetchrun: no longer waiting; the daemon") == true)
    site.free("h1")
    serving.wait(for: .output) { $0.count == 1 }
    #expect(serving.output.first?.contains("\"outcome\":\"newData\"") == true)
    let free = try program.start(["--plugin"] + rss + ["--allow-private"]).wait()
    #expect(free.status == 0, "\(free)")
    end(serving)
  }

  @Test func `invalid options and plugins are refused before a request is sent to the daemon`()
    throws
  {
    let serving = try serve("jobs:\n" + site.job("a", at: "h2", every: "never"))
    let option = try once("rss", "--option", "ulr=x")
    #expect(option.status == 64)
    #expect(option.messages.contains("unknown option 'ulr' (did you mean 'url'?)"))
    let failing = try program.write(
      "failing.lua",
      "return { api = 1, name = 'failing', version = '1', fetch = function() error('broken') end }")
    let failed = try once(failing)
    #expect(failed.status == 1)
    #expect(failed.output.hasPrefix("failed  failing  pluginError: broken (failing.lua:1)"))
    end(serving)
  }
}
