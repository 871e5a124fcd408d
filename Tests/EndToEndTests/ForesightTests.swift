import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the warnings of `check` and of runs about likely faults, and of some other messages.
@Suite struct ForesightTests {
  private let program: Program
  private let config: String

  init() throws {
    program = try Program()
    try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1.0.0",
        fetch = function(ctx) return { { id = "1", title = "Swift", price = 3 } } end,
      }
      """)
    config = program.folder.path + "/fetchrun.yaml"
  }

  private func write(_ text: String) throws {
    try program.write("fetchrun.yaml", "store: store.sqlite\n" + text)
  }

  @Test func `a file or program that is missing on this machine causes a warning`() throws {
    defer { program.remove() }
    try write(
      """
      secrets:
        token: { env: NO_SUCH_VARIABLE }
        kept: { stored: nobody }
      hooks:
        - { name: here, webhook: "http://127.0.0.1:9/" }
        - { name: allowed, webhook: { url: "http://10.0.0.1/", allow_private: true } }
        - { name: program, command: [no-such-program, x] }
        - { name: there, command: [true] }
      jobs:
        - { name: one, plugin: ./probe.lua }
      """)
    let check = try program.run("check", config)
    #expect(check.status == 0 && check.output == "\(config): fine: 1 job\n")
    #expect(
      check.messages == """
        fetchrun: \(config):6:5: warning: hook 'here': its webhook goes to 127.0.0.1, a loopback \
        address, so its deliveries wait until you allow this: write \
        `webhook: { url: …, allow_private: true }`
        fetchrun: \(config):8:5: warning: hook 'program': there is no program 'no-such-program' in \
        $PATH
        fetchrun: \(config): warning: secret 'token': the environment variable NO_SUCH_VARIABLE is \
        not set in this process
        fetchrun: \(config): warning: secret 'kept': there is no stored secret 'nobody': store it \
        with `fetchrun secret set nobody`

        """)
  }

  @Test func `check suggests to store a missing secret with the key of the config`() throws {
    defer { program.remove() }
    try write(
      """
      secrets_key: own.key
      secrets: { kept: { stored: nobody } }
      jobs:
        - { name: one, plugin: ./probe.lua }
      """)
    let check = try program.run("check", config)
    #expect(
      check.messages == """
        fetchrun: \(config): warning: secret 'kept': there is no stored secret 'nobody': store it \
        with `fetchrun secret set nobody --key \(program.folder.path)/own.key`

        """)
  }

  @Test func `check warns of an option with a private address that no grant permits`() throws {
    defer { program.remove() }
    try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx) return { { id = ctx.options.url } } end,
      }
      """)
    try write(
      """
      jobs:
        - { name: shut, plugin: ./probe.lua, options: { url: "http://127.0.0.1:9/" } }
        - { name: open, plugin: ./probe.lua, options: { url: "http://[::1]/" }, allow_private: true }
        - { name: named, plugin: ./probe.lua, options: { url: "http://nas.example/" } }
      """)
    let check = try program.run("check", config)
    #expect(check.status == 0)
    #expect(
      check.messages == """
        fetchrun: \(config):3:5: warning: job 'shut': its option 'url' names 127.0.0.1, a loopback \
        address, which is not allowed: add `allow_private: true` to the job

        """)
  }

  @Test func `check warns of a path in an option that no grant lets the job read`() throws {
    defer { program.remove() }
    let folder = program.folder.path
    try program.write(
      "notes.lua",
      """
      local files = require "files"
      return {
        api = 1, name = "notes", version = "1", options = { folder = {}, asked = {}, other = {} },
        permissions = { read = { "{options.asked}" } },
        fetch = function(ctx)
          local options = ctx.options
          local found = options.folder and files.folder(options.folder)
          return { { id = options.asked or "x", other = options.other } }
        end,
      }
      """)
    try write(
      """
      jobs:
        - { name: mirror, plugin: file-sync, options: { source: "file://\(folder)/my%20music" } }
        - { name: open, plugin: file-sync, options: { source: "file://\(folder)/in" }, allow_read: \(folder) }
        - { name: opened, plugin: ./notes.lua, options: { folder: /srv/notes, other: /srv/no } }
        - { name: asked, plugin: ./notes.lua, options: { asked: /srv/asked } }
        - { name: agreed, plugin: ./notes.lua, options: { asked: /srv/asked } }
      """)
    let granted = try program.run("grant", "agreed", "--yes", "--config", config)
    #expect(granted.status == 0, "\(granted)")
    let check = try program.run("check", "--config", config)
    #expect(check.status == 0, "\(check)")
    #expect(
      check.messages == """
        fetchrun: \(config):3:5: warning: job 'mirror': its option 'source' names \
        \(folder)/my music, which the job may not read: add \
        `'\(folder)/my music'` to `allow_read` of the job
        fetchrun: \(config):5:5: warning: job 'opened': its option 'folder' names /srv/notes, \
        which the job may not read: add `/srv/notes` to `allow_read` of the job
        fetchrun: \(config):6:5: warning: job 'asked': its option 'asked' names /srv/asked, \
        which the job may not read: add `/srv/asked` to `allow_read` of the job

        """)
    // The output is the same for the option `--config` and for an argument.
    let named = try program.run("check", config)
    #expect(named.output == check.output && named.messages == check.messages)
  }

  @Test func `a folder in allow_read that does not exist yet is named by check`() throws {
    defer { program.remove() }
    let folder = program.folder.path
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/real", withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
    try write(
      """
      jobs:
        - name: mirror
          plugin: file-sync
          options: { source: "file://\(folder)/real/in" }
          allow_read: link/in
      """)
    let check = try program.run("check", "--config", config)
    #expect(
      check.messages == """
        fetchrun: \(config):3:5: warning: job 'mirror': its option 'source' names \
        \(folder)/real/in, which allow_read includes, but which does not exist: create it

        """)
  }

  @Test func `check and a run warn of a condition on a field that no item has`() throws {
    defer { program.remove() }
    try write(
      """
      hooks:
        - { name: told, when: 'titel contains "x"', command: [true] }
        - { name: fine, when: "price < 10", command: [true] }
      jobs:
        - { name: one, plugin: ./probe.lua }
      """)
    let early =
      "fetchrun: \(config):3:5: warning: hook 'told': when: the plugin of 'one' names no field 'titel'"
      + " (did you mean 'title'?)\n"
    let first = try program.run("check", config)
    #expect(first.status == 0 && first.messages == early)
    let warning =
      "fetchrun: \(config):3:5: warning: hook 'told': when: none of the newest stored"
      + " items of 'one' has the field 'titel' (did you mean 'title'?)"
    let run = try program.run("run", "--config", config)
    #expect(run.status == 0 && run.messages.contains(warning), "\(run)")
    let check = try program.run("check", config)
    #expect(check.status == 0 && check.messages == warning + "\n")
  }

  @Test func `a mistake of one hook does not hide those of another hook or of its hook file`()
    throws
  {
    defer { program.remove() }
    try program.write("bad.lua", "return { on_itme = function(item) return item end }")
    try write(
      """
      hooks:
        - { name: told, rate: 0/h, when: "title contains", command: [true] }
        - { name: bad, lua: ./bad.lua }
      jobs:
        - { name: one, plugin: ./probe.lua, options: { x: 1 } }
      """)
    let check = try program.run("check", config)
    #expect(check.status == 78)
    for mistake in ["rate must be at least 1", "when: ", "on_itme", "unknown option 'x'"] {
      #expect(check.messages.contains(mistake), "\(mistake): \(check.messages)")
    }
  }

  @Test func `a delivery that no grant allows waits, and goes out when the config allows it`()
    throws
  {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    func hook(_ more: String) -> String {
      """
      hooks:
        - { name: told, webhook: { url: "\(server.url)/"\(more) } }
      jobs:
        - { name: one, plugin: ./probe.lua }
      """
    }
    try write(hook(""))
    let refused = try program.run("run", "--config", config)
    #expect(
      refused.messages.contains("hook 'told': deliveries wait: 127.0.0.1 is a loopback address"))
    let waiting = try program.run("deliveries", "--config", config, "--json")
    #expect(waiting.output.contains("\"state\":\"pending\""), "\(waiting)")
    #expect(server.requests.isEmpty)
    try write(hook(", allow_private: true"))
    #expect(try program.run("run", "--config", config).status == 0)
    #expect(server.requests.count == 1)
  }

  @Test func `explain makes no statement about a source that never answered`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(404) }
    defer { server.stop() }
    try write(
      """
      jobs:
        - name: gone
          plugin: rss
          options: { url: "\(server.url)/feed" }
          allow_private: true
          interval: adaptive
      """)
    let run = try program.run("run", "--config", config)
    #expect(
      run.output.hasPrefix("failed  gone  httpStatus: \(server.url)/feed answered 404 Not Found  (")
    )
    #expect(
      !run.messages.contains("in function"), "no line of the plugin is to be looked at: \(run)")
    let explained = try program.run("explain", "gone", "--config", config)
    #expect(!explained.output.contains("because its source publishes"), "\(explained)")
    #expect(
      explained.messages.contains(
        "fetchrun: no daemon is running on \(program.folder.path)/store.sqlite; showing the last known"
          + " state\n"))
    let status = try program.run("status", "--config", config)
    #expect(
      status.output.contains(
        "failed once (\(server.url)/feed answered 404 Not Found); next try at "))
    let doctor = try program.run("doctor", "--store", program.folder.path + "/store.sqlite")
    #expect(doctor.output.contains("store.sqlite: sound, 1 job, 0 items\n"), "\(doctor)")
  }

  @Test func `verbs are grouped in the help, and defaults are in it`() throws {
    defer { program.remove() }
    let help = try program.run("--help").output
    for group in ["RUN", "RESULT", "CONFIG", "PERMISSION", "PLUGIN", "DAEMON", "STORE"] {
      #expect(help.contains("\n\(group) SUBCOMMANDS:\n"), "\(help)")
    }
    let run = try program.run("run", "--help").output
    #expect(run.contains("otherwise 100)") && !run.contains("--now"))
    #expect(run.contains("otherwise, for root, /etc/fetchrun/fetchrun.yaml)."))
    let serve = try program.run("serve", "--help").output
    #expect(
      serve.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "(default: 30s, at least 2s)"))
    let simulate = try program.run("simulate", "--help").output
    #expect(!simulate.contains("--trace") && !simulate.contains("--policy"))
    let usages = try ["serve", "record", "add", "simulate", "prune"].map { verb in
      try program.run(verb, "--help").lines.first { $0.hasPrefix("USAGE") } ?? ""
    }
    #expect(usages.allSatisfy { !$0.isEmpty && $0.count <= 100 }, "\(usages)")
    let action = try program.run("transfers", "foo").messages
    #expect(action.contains("The value 'foo' is invalid for '<action>'"))
  }

  @Test func `a worker that cannot start is reported only in the program's own words`() throws {
    defer { program.remove() }
    let doctor = try program.run("doctor", environment: ["FETCHRUN_WORKER": "/bin/false"])
    #expect(doctor.status != 0)
    #expect(!(doctor.messages + doctor.output).contains("fetchrun.workers"), "\(doctor)")
  }
}
