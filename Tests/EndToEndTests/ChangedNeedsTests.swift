import FetchTestSupport
import Foundation
import Testing

/// Tests of changed plugin files that need more than their jobs provide. Only these jobs fail.
@Suite(.timeLimit(.minutes(5))) struct ChangedNeedsTests {
  let program: Program
  private let config: String
  private var file: String { program.folder.path + "/./probe.lua" }

  init() throws {
    program = try Program()
    config = try program.write("fetchrun.yaml", Self.config())
    try program.write("other.lua", Self.plugin("other"))
    try program.write("probe.lua", Self.plugin("probe"))
  }

  private static func config(_ more: String = "", hooks: String = "hooks: []") -> String {
    """
    store: store.sqlite
    \(hooks)
    jobs:
      - name: other
        plugin: ./other.lua
      - name: probe
        plugin: ./probe.lua
        \(more)

    """
  }

  private static func plugin(
    _ name: String, options: String = "", secrets: String = ""
  ) -> String {
    """
    return {
      api = 1, name = "\(name)", version = "1.0.0", options = { \(options) },
      permissions = { http = { "a.example" }, secrets = { \(secrets) } },
      fetch = function(ctx) return { { id = "\(name)" } } end,
    }
    """
  }

  private static let token = "token = { hosts = { \"a.example\" }, required = true }"
  private static let missing =
    "the secret 'token' is missing: store it with `fetchrun secret set NAME`, then add token: { "
    + "stored: NAME } to `secrets`; or add token: { env: VARIABLE }"

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.start(words + ["--config", config], environment: ["TOKEN": "s3cret-t0ken"]).wait()
  }

  @Test func `a changed file that needs another secret waits for a grant, and the other jobs run`()
    throws
  {
    defer { program.remove() }
    #expect(try fetchrun("run").status == 0)
    try program.write("probe.lua", Self.plugin("probe", secrets: Self.token))
    let wants =
      "\(file) has changed and asks for more than was granted: to send the secret token to "
      + "a.example; the file has not run: see `fetchrun diff-permissions probe --config "
      + "\(config)`, and allow it with `fetchrun grant probe --config \(config)`"
    let held = try fetchrun("run", "--json")
    #expect(held.status == 1 && held.lines.count == 2, "\(held)")
    #expect(
      held.output.contains(
        #""job":"other","plugin":"other","trigger":"manual","outcome":"noData""#), "\(held)")
    #expect(
      held.output.contains(
        #""failure":{"code":"permission","message":"\#(wants)","retryable":false}"#), "\(held)")
    let wanted = try fetchrun("diff-permissions", "probe")
    #expect(wanted.status == 1 && wanted.output == "+ send the secret token to a.example\n")
    #expect(wanted.messages == "fetchrun: \(Self.missing)\n")
    #expect(try fetchrun("permissions", "probe").lines.last == "It does not run: \(wants).")
    #expect(try fetchrun("explain", "probe").lines.contains("It is held: \(wants)."))
    // The missing secret is still a mistake of the config, and `check` reports it with its place.
    let checked = try fetchrun("status")
    #expect(checked.status == 0, "\(checked)")
    let check = try program.run("check", config)
    #expect(check.status == 78 && check.messages.hasSuffix("job 'probe': \(Self.missing)\n"))

    let needs =
      "\(file) has not run, because options or secrets of the job 'probe' are missing or invalid: "
      + Self.missing
    let agreed = try fetchrun("grant", "probe", "--yes")
    #expect(agreed.status == 0 && agreed.output == "probe: granted; it may run from now on\n")
    #expect(
      agreed.messages.hasSuffix(
        """
        fetchrun: + send the secret token to a.example
        fetchrun: 'probe' does not run until it has what it needs: \(Self.missing)

        """), "\(agreed)")
    let lacking = try fetchrun("run", "--json")
    #expect(lacking.status == 1 && lacking.lines.count == 2, "\(lacking)")
    #expect(
      lacking.output.contains(
        #""failure":{"code":"invalidOption","message":"\#(needs)","retryable":false}"#),
      "\(lacking)")
    #expect(try fetchrun("diff-permissions", "probe").status == 0)
    #expect(try fetchrun("permissions", "probe").lines.last == "It does not run: \(needs).")

    try program.write("fetchrun.yaml", Self.config("secrets: { token: { env: TOKEN } }"))
    let given = try fetchrun("run")
    #expect(given.status == 0 && given.messages == "", "\(given)")
  }

  @Test func `options that no longer fit the file fail only its own job`() throws {
    defer { program.remove() }
    try program.write("fetchrun.yaml", Self.config("options: { old: 1 }"))
    try program.write("probe.lua", Self.plugin("probe", options: "old = { type = \"integer\" }"))
    #expect(try fetchrun("run").status == 0)
    let new = "new = { type = \"string\", required = true, description = \"what to look for\" }"
    try program.write("probe.lua", Self.plugin("probe", options: new))
    let failed = try fetchrun("run")
    #expect(failed.status == 1, "\(failed)")
    #expect(failed.lines.contains { $0.hasPrefix("noData") && $0.contains("other") }, "\(failed)")
    #expect(
      failed.output.contains(
        "\(file) has not run, because options or secrets of the job 'probe' are missing or "
          + "invalid: unknown option 'old'; known options: new; option 'new' is required: what to "
          + "look for; add new: text to `options`"),
      "\(failed)")
    // Repeated runs have the same result, because the changed file is not treated as the granted
    // file.
    #expect(try fetchrun("run", "other").status == 0)
    #expect(try fetchrun("run").status == 1)
    let unchanged = try fetchrun("diff-permissions", "probe")
    #expect(unchanged.status == 0 && unchanged.output == "")
    #expect(unchanged.messages.hasPrefix("fetchrun: unknown option 'old'"))
    try program.write("fetchrun.yaml", Self.config("options: { new: ships }"))
    #expect(try fetchrun("run").status == 0)
    // Now that the changed file has run, missing options are a mistake of the config again.
    try program.write("fetchrun.yaml", Self.config())
    let mistaken = try fetchrun("run")
    #expect(mistaken.status == 78 && mistaken.output == "", "\(mistaken)")
  }

  @Test func `a secret that a job never had is a mistake of the config`() throws {
    defer { program.remove() }
    try program.write("probe.lua", Self.plugin("probe", secrets: Self.token))
    let first = try fetchrun("run")
    #expect(first.status == 78 && first.output == "", "\(first)")
    #expect(
      first.messages == "fetchrun: \(config):6:5: job 'probe': \(Self.missing)\n", "\(first)")
    // `permissions` shows the permissions of the job although the job does not run.
    let said = try fetchrun("permissions", "probe")
    #expect(said.status == 0)
    #expect(
      said.lines.last
        == "It does not run: \(file) has not run, because options or secrets of the job 'probe' "
        + "are missing or invalid: \(Self.missing).")
  }

  @Test func `a daemon runs the other jobs`() throws {
    defer { program.remove() }
    #expect(try fetchrun("run").status == 0)
    try program.write("probe.lua", Self.plugin("probe", secrets: Self.token))
    let daemon = try Watched(program, ["serve", "--config", config])
    defer { daemon.signal(SIGKILL) }
    #expect(daemon.wait(forMessage: "serving 2 jobs"))
    let runs = try fetchrun("run")
    #expect(runs.status == 1 && runs.lines.count == 2, "\(runs)")
    #expect(runs.lines.contains { $0.hasPrefix("noData  other") }, "\(runs)")
    let agreed = try fetchrun("grant", "probe", "--yes")
    #expect(agreed.output == "probe: granted; it may run from now on\n", "\(agreed)")
    let lacking = try fetchrun("run", "probe")
    #expect(
      lacking.output.contains("options or secrets of the job 'probe' are missing or invalid"),
      "\(lacking)")
    try program.write("fetchrun.yaml", Self.config("secrets: { token: { env: TOKEN } }"))
    daemon.signal(SIGHUP)
    #expect(daemon.wait(forMessage: "config reloaded"))
    // The job now has the missing secret, and runs immediately.
    #expect(daemon.wait(for: .output) { $0.contains { $0.hasPrefix("noData  probe") } })
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test(arguments: [false, true])
  func `a daemon makes the waiting deliveries when its hook file has what it needs`(restarts: Bool)
    throws
  {
    defer { program.remove() }
    func configure(_ more: String = "") throws {
      let hook = "{ name: tell, lua: { file: ./tell.lua\(more) } }"
      try program.write("fetchrun.yaml", Self.config(hooks: "hooks: [\(hook)]"))
    }
    func write(_ options: String) throws {
      try program.write(
        "tell.lua",
        """
        return {
          options = { \(options) },
          on_no_data = function(run) require("log").info("told of", run.job) end,
        }
        """)
    }
    try configure()
    try write("")
    #expect(try fetchrun("run").status == 0)
    #expect(try fetchrun("run").status == 0)
    try write("room = { type = \"string\", required = true }")
    var daemon = try Watched(program, ["serve", "--config", config])
    defer { daemon.signal(SIGKILL) }
    #expect(daemon.wait(forMessage: "serving 2 jobs"))
    #expect(try fetchrun("run", "other").status == 0)
    #expect(daemon.wait(forMessage: "deliveries wait: "))
    try configure(", options: { room: harbour }")
    if restarts {
      daemon.signal(SIGTERM)
      #expect(daemon.end() == 0)
      daemon = try Watched(program, ["serve", "--config", config])
    } else {
      daemon.signal(SIGHUP)
    }
    #expect(daemon.wait(forMessage: "hook tell: told of other"))
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func `a changed hook file that needs more is not called, and its deliveries wait`() throws {
    defer { program.remove() }
    func write(_ secrets: String) throws {
      try program.write(
        "tell.lua",
        """
        return {
          permissions = { http = { "a.example" }, secrets = { \(secrets) } },
          on_no_data = function() require("log").info("told") end,
        }
        """)
    }
    let hooks = "hooks: [{ name: tell, lua: { file: ./tell.lua } }]"
    try program.write("fetchrun.yaml", Self.config(hooks: hooks))
    try write("")
    #expect(try fetchrun("run").status == 0)
    #expect(try fetchrun("run").messages.contains("hook tell: told"))
    try write(Self.token)
    let held = try fetchrun("run")
    #expect(held.status == 0 && held.lines.count == 2, "\(held)")
    #expect(
      held.messages.contains(
        "asks for more than was granted: to send the secret token to a.example; the file has not "
          + "run: see "
          + "`fetchrun diff-permissions --hook tell --config \(config)`, and allow it with "
          + "`fetchrun grant --hook tell --config \(config)`"))
    #expect(try fetchrun("diff-permissions", "--hook", "tell").status == 1)
    #expect(try fetchrun("grant", "--hook", "tell", "--yes").status == 0)
    let lacking = try fetchrun("run")
    #expect(lacking.status == 0, "\(lacking)")
    #expect(
      lacking.messages.contains(
        "tell.lua has not run, because options or secrets of the hook 'tell' are missing or "
          + "invalid: \(Self.missing)"),
      "\(lacking)")
  }
}
