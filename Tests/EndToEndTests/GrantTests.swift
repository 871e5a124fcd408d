import FetchTestSupport
import Foundation
import Testing

/// Tests of the grants of a job's plugin when its file changes.
@Suite(.timeLimit(.minutes(5))) struct GrantTests {
  let program: Program
  private let config: String
  /// The plugin's path as written in the config, joined to the config's folder.
  private var file: String { program.folder.path + "/./probe.lua" }
  /// The plugin's path as it is stored in grants.
  private var known: String { program.folder.resolvingSymlinksInPath().path + "/probe.lua" }
  private var store: String { program.store }

  init() throws {
    program = try Program()
    config = try program.write("fetchrun.yaml", Self.config(store: program.store))
  }

  private func config(_ more: String = "") -> String { Self.config(store: program.store, more) }

  private static func config(store: String, _ more: String = "") -> String {
    """
    store: \(store)
    jobs:
      - name: probe
        plugin: ./probe.lua
        interval: 1h
        \(more)

    """
  }

  /// Writes a version of the plugin that requests these permissions and finds one item.
  private func write(
    _ version: Int, http: [String] = [], more: String = "", options: String = "url = {}",
    to name: String = "probe.lua"
  ) throws {
    let hosts = http.map { "\"\($0)\"" }.joined(separator: ", ")
    try program.write(
      name,
      """
      return {
        api = 1, name = "probe", version = "1.0.\(version)", options = { \(options) },
        permissions = { http = { \(hosts) }\(more) },
        fetch = function(ctx) return { { id = "\(version)", title = "\(version)" } } end,
      }
      """)
  }

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.start(words + ["--config", config]).wait()
  }

  private var wantsMore: String {
    "has changed and asks for more than was granted: to reach evil.example; the file has not run: "
      + "see "
      + "`fetchrun diff-permissions probe --config \(config)`, and allow it with `fetchrun grant "
      + "probe --config \(config)`"
  }

  @Test func `a changed file that asks for more waits for approval`() throws {
    defer { program.remove() }
    try write(1, http: ["api.example.org"])
    let first = try fetchrun("run", "probe")
    #expect(first.status == 0 && first.output.hasPrefix("newData  probe  1 added"))
    #expect(
      first.messages == "probe: info: granted at the first run: to reach api.example.org\n")

    try write(2, http: ["api.example.org"])
    let same = try fetchrun("run", "probe")
    #expect(same.status == 0 && same.output.hasPrefix("newData  probe  1 added"))
    #expect(same.messages == "")

    try write(3, http: ["api.example.org", "evil.example"])
    let held = try fetchrun("run", "probe", "--json")
    #expect(held.status == 1)
    #expect(
      held.output.contains(
        #""failure":{"code":"permission","message":"\#(file) \#(wantsMore)","retryable":false}"#
      ))
    #expect(
      held.output.contains(#""cpuSeconds":0,"requests":0,"receivedBytes":0"#), "\(held.output)")
    let explained = try fetchrun("explain", "probe")
    #expect(explained.lines.contains("It is held: \(file) \(wantsMore)."))
    let gate = #"{"gate":"grant","isOpen":false,"why":"it is held: \#(file) \#(wantsMore)"}"#
    #expect(try fetchrun("explain", "probe", "--json").output.contains(gate))

    let wanted = try fetchrun("diff-permissions", "probe")
    #expect(wanted.status == 1 && wanted.output == "+ reach evil.example\n")
    let json = try fetchrun("diff-permissions", "probe", "--json")
    #expect(json.status == 1 && json.output == "{\"change\":\"+\",\"reach\":\"evil.example\"}\n")

    let unasked = try fetchrun("grant", "probe")
    #expect(unasked.status == 64 && unasked.output == "")
    #expect(unasked.messages.hasSuffix("fetchrun: add --yes to grant this to 'probe'\n"))
    #expect(try fetchrun("run", "probe").status == 1)

    let agreed = try fetchrun("grant", "probe", "--yes")
    #expect(agreed.status == 0 && agreed.output == "probe: granted; it may run from now on\n")
    #expect(agreed.messages.hasSuffix("fetchrun: + reach evil.example\n"))
    #expect(try fetchrun("diff-permissions", "probe").status == 0)
    let again = try fetchrun("grant", "probe")
    #expect(again.status == 0, "nothing is left to agree to, so nothing is asked: \(again)")
    #expect(
      again.messages.hasSuffix(
        "fetchrun: the file asks for nothing new\n"))
    let freed = try fetchrun("run", "probe")
    #expect(freed.status == 0 && freed.output.hasPrefix("newData  probe  1 added"))
    #expect(try !fetchrun("explain", "probe").output.contains("It is held"))
  }

  @Test func `a grant stays when the new file asks for less`() throws {
    defer { program.remove() }
    try write(1, http: ["a.example", "b.example"])
    #expect(try fetchrun("run", "probe").status == 0)
    try write(2, http: ["a.example"])
    #expect(try fetchrun("run", "probe").status == 0)
    let less = try fetchrun("diff-permissions", "probe")
    #expect(less.status == 0 && less.output == "- reach b.example\n")
    try write(3, http: ["b.example"])
    #expect(try fetchrun("run", "probe").status == 0)
    let granted = try fetchrun("grant", "probe")
    #expect(granted.status == 0, "fewer permissions need no confirmation: \(granted)")
    #expect(granted.messages.hasSuffix("fetchrun: - reach a.example\n"))
    let same = try fetchrun("diff-permissions", "probe")
    #expect(same.output == "" && same.messages == "fetchrun: the permissions are the same\n")
  }

  @Test func `another file is compared with the grant without a run`() throws {
    defer { program.remove() }
    try write(1, http: ["a.example", "*.b.example"])
    #expect(try fetchrun("run", "probe").status == 0)
    try write(
      2, http: ["x.b.example", "c.example"], more: ", read = { \"/srv\" }", to: "new.lua")
    let new = program.folder.path + "/new.lua"
    let wanted = try fetchrun("diff-permissions", "probe", new)
    #expect(wanted.status == 1)
    #expect(
      wanted.lines == [
        "+ reach c.example", "+ read /srv", "- reach a.example", "- reach *.b.example",
      ])
    let plugins = try fetchrun("diff-permissions", new, file)
    #expect(plugins.status == 1)
    #expect(
      plugins.lines
        == ["+ reach a.example", "+ reach *.b.example", "- reach c.example", "- read /srv"])
    let alone = try fetchrun("diff-permissions", file)
    #expect(alone.status == 64)
    #expect(
      alone.messages.contains(
        "name the file that is to replace \(file): `fetchrun diff-permissions \(file) FILE`"))
    #expect(try fetchrun("diff-permissions", file, file).status == 0)
  }

  @Test func `an option counts as the user's grant, its default as the file's request`() throws {
    defer { program.remove() }
    let url = "url = { type = \"url\", default = \"https://a.example/\" }"
    try write(1, http: ["{options.url}"], options: url)
    #expect(try fetchrun("run", "probe").status == 0)
    try program.write("fetchrun.yaml", config("options: {url: \"https://b.example/\"}"))
    #expect(try fetchrun("run", "probe").status == 0)
    try write(2, http: ["{options.url}"], options: url)
    #expect(try fetchrun("run", "probe").status == 0)
    try write(3, http: ["{options.url}"], options: url.replacing("a.example", with: "c.example"))
    let held = try fetchrun("run", "probe")
    #expect(
      held.status == 1
        && held.output.contains("asks for more than was granted: to reach c.example;"))
  }

  @Test func `a module that a plugin requires counts as part of its file`() throws {
    defer { program.remove() }
    try program.write(
      "probe.lua",
      """
      local asks = require "asks"
      return {
        api = 1, name = "probe", version = "1.0.0", permissions = { http = asks.hosts },
        fetch = function(ctx) return { { id = asks.hosts[1] } } end,
      }
      """)
    try program.write("lib/asks.lua", "return { hosts = { \"a.example\" } }")
    #expect(try fetchrun("run", "probe").status == 0)
    try program.write("lib/asks.lua", "return { hosts = { \"b.example\" } }")
    let held = try fetchrun("run", "probe")
    #expect(held.status == 1 && held.output.contains("to reach b.example; the file has not run"))
  }

  @Test func `allow alone decides about the kinds of permissions that it names`() throws {
    defer { program.remove() }
    try program.write("fetchrun.yaml", config("allow: { hosts: \"*.a.example\" }"))
    try write(1, http: ["x.a.example", "b.example"])
    let refused = try fetchrun("run", "probe")
    #expect(refused.status == 1)
    #expect(
      refused.output.contains(
        "\(file) asks to reach b.example, which `allow` does not permit for the job 'probe'; the"
          + " file "
          + "has not run: add this to `allow` of the job in the config if you trust the file"))
    let grant = try fetchrun("grant", "probe", "--yes")
    #expect(grant.status == 1 && grant.output == "")
    #expect(grant.messages.contains("which `allow` does not permit for the job 'probe'"))
    try program.write(
      "fetchrun.yaml", config("allow: { hosts: [\"*.a.example\", b.example] }"))
    #expect(try fetchrun("run", "probe").status == 0)
    try write(2, http: ["y.a.example"])
    #expect(try fetchrun("run", "probe").status == 0)
    try write(3, more: ", secrets = { token = { hosts = { \"y.a.example\" } } }")
    let held = try fetchrun("run", "probe")
    #expect(held.status == 1)
    #expect(held.output.contains("more than was granted: to send the secret token to y.a.example;"))
  }

  @Test func `a plugin named on the command line is granted what it asks for`() throws {
    defer { program.remove() }
    try write(1, http: ["a.example"])
    #expect(try fetchrun("run", "probe").status == 0)
    try write(2, http: ["a.example", "b.example"])
    #expect(try fetchrun("run", "probe").status == 1)
    // A grant for another file is independent of the config's job.
    try write(2, http: ["a.example", "b.example"], to: "other.lua")
    let other = try program.run(
      "--plugin", program.folder.path + "/other.lua", "--job", "probe", "--store", store)
    #expect(other.status == 0)
    #expect(try fetchrun("run", "probe").status == 1)
    let typed = try program.run(
      "--plugin", file, "--job", "probe", "--store", store)
    #expect(typed.status == 0)
    #expect(typed.messages.contains("probe may reach a.example, b.example"))
    #expect(try fetchrun("run", "probe").status == 0)
    let said = try fetchrun("permissions", "probe", "--json")
    #expect(said.output.contains(#""grantedBy":"commandLine","held":null}"#), "\(said.output)")
  }

  @Test func `permissions are shown with the source of each`() throws {
    defer { program.remove() }
    try program.write(
      "fetchrun.yaml",
      config(
        """
        options: {url: "https://b.example/"}
            hosts: [c.example]
            allow: { private: [10.0.0.0/8, "::1"], read: in, secrets: token, commands: [pass, notify-send] }
            secrets: { token: { command: [pass, show, token] } }
            hooks: [{ name: desk, command: [notify-send, news] }]
        """))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    try write(
      1, http: ["a.example", "{options.url}"],
      more: ", secrets = { token = { hosts = { \"a.example\" } } }")
    let before = try fetchrun("permissions", "probe")
    #expect(before.status == 0)
    let described = try #require(before.lines.first)
    #expect(described.hasPrefix("probe runs \(file) (probe 1.0.1, "))
    #expect(
      Array(before.lines.dropFirst()) == [
        "It may", "  reach a.example (will be granted at its first run)",
        "  reach b.example (by its option url)",
        "  send the secret token to a.example (will be granted at its first run)",
        "  reach c.example (by the config)",
        "  reach the private addresses of 10.0.0.0/8 (by the config)",
        "  reach the private addresses of ::1 (by the config)",
        "  read \(program.folder.path)/in (by the config)",
        "  run `pass show token` for the secret token (by the config)",
        "  run `notify-send news` in the hook desk (by the config)",
      ])
    let plugin = try fetchrun("permissions", file)
    #expect(
      Array(plugin.lines.dropFirst()) == [
        "  reach a.example", "  reach the hostname in its option url",
        "  send the secret token to a.example",
      ])
    #expect(try fetchrun("grant", "probe", "--yes", "--json").status == 0)
    let after = try fetchrun("permissions", "probe", "--json")
    let hash = try #require(after.output.firstMatch(of: /"hash":"([0-9a-f]{64})"/)).1
    let asks = [
      #"{"reach":"a.example"}"#, #"{"reach":"{options.url}"}"#,
      #"{"secret":"token","to":"a.example"}"#,
    ].joined(separator: ",")
    let may = [
      #"{"reach":"a.example","by":"agreement"}"#, #"{"reach":"b.example","by":"option"}"#,
      #"{"secret":"token","to":"a.example","by":"agreement"}"#,
      #"{"reach":"c.example","by":"config"}"#, #"{"address":"10.0.0.0/8","by":"config"}"#,
      #"{"address":"::1","by":"config"}"#,
      #"{"read":"\#(program.folder.path)/in","by":"config"}"#,
      #"{"run":["pass","show","token"],"secret":"token","by":"config"}"#,
      #"{"run":["notify-send","news"],"hook":"desk","by":"config"}"#,
    ].joined(separator: ",")
    let head = #"{"job":"probe","plugin":"probe","file":"\#(file)","hash":"\#(hash)","asks":["#
    let tail = #"],"missing":[],"grantedHash":"\#(hash)","grantedAt":""#
    #expect(after.output.hasPrefix("\(head)\(asks)],\"may\":[\(may)\(tail)"), "\(after.output)")
  }

  @Test func `the grants of a run on the command line are shown by its job's name`() throws {
    defer { program.remove() }
    try write(1, http: ["a.example", "{options.url}"])
    let words = ["--plugin", file, "--job", "once", "--store", store]
    #expect(try program.run(words).status == 0)
    let said = try fetchrun("permissions", "once")
    #expect(said.status == 0)
    let first = try #require(said.lines.first)
    #expect(first.hasPrefix("once has a stored grant for \(known) (probe 1.0.1, "), "\(said)")
    #expect(first.hasSuffix("); the job is not in the config"))
    #expect(
      said.lines.dropFirst().map { $0.replacing(/, 2.*Z/, with: "") } == [
        "It may", "  reach a.example (granted on the command line)",
        "  reach the hostname in its option url (granted on the command line)",
      ])
    #expect(try fetchrun("diff-permissions", "once").status == 0)
    try write(2, http: ["b.example"])
    let changed = try fetchrun("permissions", "once")
    #expect(
      changed.lines.suffix(2) == [
        "Its file, or a file that it requires, has changed. A run on the command line grants what "
          + "the file asks for, except files to read. The file now also asks for these "
          + "permissions:", "  + reach b.example",
      ])
    let wanted = try fetchrun("diff-permissions", "once")
    #expect(
      wanted.status == 1
        && wanted.lines == [
          "+ reach b.example", "- reach a.example", "- reach the hostname in its option url",
        ])
    try FileManager.default.removeItem(atPath: file)
    #expect(try fetchrun("permissions", "once").lines.last == "Its file cannot be loaded now.")
    let json = try fetchrun("permissions", "once", "--json")
    #expect(
      json.output.hasPrefix(
        #"{"job":"once","plugin":null,"file":"\#(known)","hash":null,"asks":null,"may":[{"reach":"#)
    )
    #expect(json.output.hasSuffix(#","grantedBy":"commandLine","held":null}"# + "\n"))
    let unknown = try fetchrun("permissions", "twice")
    #expect(unknown.status == 78, "\(unknown)")
  }

  @Test func `private addresses are given by blocks on the command line, too`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1.0.0", permissions = { http = { "127.0.0.1:*" } },
        fetch = function() assert(require("http").get("\(server.url)/")) end,
      }
      """)
    func run(_ blocks: String...) throws -> Program.Ending {
      try program.run(
        ["--plugin", file, "--store", store]
          + blocks.flatMap { ["--allow-private-network", $0] })
    }
    let other = try run("10.0.0.0/8", "fd00::/8")
    #expect(other.status == 1 && other.output.contains("127.0.0.1"), "\(other)")
    #expect(server.requests.isEmpty)
    #expect(try run("10.0.0.0/8", "127.0.0.0/8").status == 0)
    #expect(server.requests.count == 1)
    let wrong = try run("127.0.0.1/8")
    #expect(wrong.status == 64)
    #expect(
      wrong.messages.contains(
        "--allow-private-network: '127.0.0.1/8' is not the start of a block: use 127.0.0.0/8 or "
          + "127.0.0.1"), "\(wrong.messages)")
  }

  @Test func `files are read if the user has granted it`() throws {
    defer { program.remove() }
    let inbox = program.folder.path + "/in"
    try program.write("in/a.txt", "here")
    try program.write("in2/a.txt", "there")
    func write(_ path: String) throws {
      try program.write(
        "probe.lua",
        """
        local http = require "http"
        return {
          api = 1, name = "probe", version = "1.0.0", permissions = { read = { "\(inbox)" } },
          fetch = function(ctx)
            local answer, why = http.get("file://\(path)")
            if not answer then return nil, why end
            return { { id = answer.body } }
          end,
        }
        """)
    }
    try write(inbox + "/a.txt")
    let asked = try fetchrun("run", "probe")
    #expect(
      asked.status == 1
        && asked.output.contains(
          "the plugin may not read \(inbox)/a.txt (granted: nothing); its file requests this "
            + "permission: allow it with `fetchrun grant probe --config \(config)`"),
      "\(asked)")
    // Permissions that the first run did not get are shown before the user grants them.
    let wanted = try fetchrun("diff-permissions", "probe")
    #expect(wanted.output.contains("+ read \(inbox)"), "\(wanted)")
    let grant = try fetchrun("grant", "probe", "--yes")
    #expect(
      grant.status == 0 && (grant.output + grant.messages).contains("+ read \(inbox)"), "\(grant)")
    #expect(try fetchrun("diff-permissions", "probe").output.isEmpty)
    #expect(try fetchrun("run", "probe").status == 0)
    for path in ["/in2/a.txt", "/in/../in2/a.txt"] {
      try write(program.folder.path + path)
      let climbed = try fetchrun("run", "probe")
      #expect(climbed.status == 1)
      // The verb `run` has no option `--allow-read`.
      let refused =
        "the plugin may not read \(program.folder.path)/in2/a.txt (granted: \(inbox)); allow it"
        + " with `allow_read` in the config"
      #expect(climbed.output.contains(refused), "\(climbed)")
    }
  }

  @Test func `a plugin that hides its use of files can write no file`() throws {
    defer { program.remove() }
    try program.write(
      "probe.lua",
      """
      local name = "fi" .. "les"
      local files = require(name)
      return {
        api = 1, name = "probe", version = "1.0.0",
        fetch = function(ctx)
          local done, why = files.write("a.txt", "a")
          if not done then return nil, why end
          return { { id = "kept" } }
        end,
      }
      """)
    let refused = try program.run("--plugin", file, "--store", store)
    #expect(refused.status == 1)
    #expect(
      refused.output.contains(
        "the plugin may not keep files, because its code does not contain "
          + "`require \"files\"` or `ctx:transfer`; write one of them literally"),
      "\(refused.output)")
  }

  @Test func `a file that is replaced while a daemon runs its job waits for approval`() throws {
    defer { program.remove() }
    try write(1, http: ["a.example"])
    let daemon = try Watched(program, ["serve", "--config", config])
    defer { daemon.signal(SIGKILL) }
    #expect(daemon.wait(for: .output) { $0.contains { $0.hasPrefix("newData  probe") } })
    try write(2, http: ["a.example", "evil.example"])
    daemon.signal(SIGHUP)
    #expect(daemon.wait(forMessage: "config reloaded"))
    #expect(try fetchrun("run", "probe").status == 1)
    #expect(
      try fetchrun("explain", "probe").lines.contains("It is held: \(file) \(wantsMore)."))
    let granted = try fetchrun("grant", "probe", "--yes")
    #expect(granted.status == 0 && granted.output == "probe: granted; it runs now\n", "\(granted)")
    #expect(
      daemon.wait(for: .output) { $0.count { $0.hasPrefix("newData  probe") } == 2 })
    #expect(try !fetchrun("explain", "probe").output.contains("It is held"))
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func `a held job stays held by every path to the config, and each path can approve it`()
    throws
  {
    defer { program.remove() }
    let folder = program.folder.path
    try program.write("desk.lua", "return { on_new_data = function() end }")
    try program.write(
      "fetchrun.yaml", config() + "hooks: [{ name: desk, lua: { file: ./desk.lua } }]\n")
    try program.write("in/empty", "")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: folder)
    try write(1)
    #expect(try fetchrun("run", "probe").status == 0)
    let asks = "permissions = { http = { \"evil.example\" } }"
    try write(2, http: ["evil.example"])
    try program.write("desk.lua", "return { \(asks), on_new_data = function() end }")
    func typed(_ path: String, _ words: String..., at place: String = "") throws -> Program.Ending {
      try program.start(
        words + ["--config", path],
        launcher: ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder + place]
      ).wait()
    }
    let ways = [
      ("fetchrun.yaml", ""), ("./fetchrun.yaml", ""), (".//fetchrun.yaml", ""),
      (folder + "/./fetchrun.yaml", ""), (folder + "//fetchrun.yaml", ""),
      ("fetchrun.yaml", "/link"), ("../fetchrun.yaml", "/in"), ("link/fetchrun.yaml", ""),
    ]
    for (path, place) in ways {
      let held = try typed(path, "run", "probe", at: place)
      #expect(held.status == 1, "\(path) in \(place): \(held)")
      #expect(held.output.contains("asks for more than was granted"), "\(held)")
    }
    #expect(try typed("./fetchrun.yaml", "grant", "probe", "--yes").status == 0)
    for (path, place) in ways {
      let run = try typed(path, "run", "probe", at: place)
      #expect(run.status == 0 && !run.messages.contains("first run"), "\(path): \(run)")
      let hook = try typed(path, "permissions", "--hook", "desk", at: place)
      #expect(hook.output.contains("desk.lua has changed and asks for more"), "\(path): \(hook)")
    }
  }
}
