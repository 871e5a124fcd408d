import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of hook files, run by the real program.
@Suite struct HookFileTests {
  @Test func `check reports a hook file's mistake, its place, and what to do`() throws {
    let program = try Program()
    defer { program.remove() }
    let file = try program.write(
      "tidy.lua",
      """
      local hook = { timeout = "soon" }
      function hook.on_itme(item)
        return item
      end
      return hook
      """)
    let ending = try program.run("check", file)
    #expect(ending.status == 78)
    #expect(
      ending.messages == """
        \(file):1: timeout: must be a duration such as "30s" or "2m"
        \(file):2: on_itme: unknown function (did you mean 'on_item'?); a hook file may \
        have before_run, on_item, on_new_data, on_no_data, on_failed, on_recovered

        """)
  }

  @Test func `check lists the permissions that a shipped hook file requests`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("check", "plugins/hooks/ntfy.lua")
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        plugins/hooks/ntfy.lua: fine: hook ntfy, asks for {options.server}, the secret token for \
        {options.server}

        """)
  }

  @Test func `a hook file cannot be used as a plugin`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "plugins/hooks/ntfy.lua")
    #expect(ending.status == 78)
    #expect(ending.messages.contains("is missing; write fetch = function(ctx) … end"))
  }

  // MARK: From the config

  static let source = """
    return {
      api = 1, name = "source", version = "1",
      options = { items = { type = "list", default = { "a", "b", "advert" } } },
      fetch = function(ctx)
        local items = {}
        for i, name in ipairs(ctx.options.items) do items[i] = { id = name, title = name } end
        return items
      end,
    }
    """

  private static func mark(_ word: String) -> String {
    "return { on_item = function(item) item.title = item.title .. ' \(word)' return item end }"
  }

  @Test func `hooks for all jobs, for a plugin and for a job run in the config's order`() throws {
    let program = try Program()
    defer { program.remove() }
    for name in ["source", "other"] {
      try program.write(
        "plugins/\(name).lua",
        Self.source.replacing("name = \"source\"", with: "name = \"\(name)\""))
    }
    for word in ["all", "plugin", "job", "own"] {
      try program.write("hooks/\(word).lua", Self.mark(word))
    }
    let folder = program.folder.path
    let config = try program.write(
      "fetchrun.yaml",
      """
      plugins: \(folder)/plugins
      hooks:
        - {name: first, lua: hooks/all.lua}
        - {name: second, plugins: [source], lua: hooks/plugin.lua}
        - {name: third, jobs: [one], lua: {file: hooks/job.lua}}
        - name: filter
          lua: hooks/filter.lua
      jobs:
        - {name: one, plugin: source, options: {items: [a, advert]}, \
      hooks: [{name: fourth, lua: hooks/own.lua}]}
        - {name: two, plugin: source, options: {items: [b]}}
        - {name: three, plugin: other, options: {items: [c]}}
      """)
    try program.write(
      "hooks/filter.lua",
      "return { on_item = function(i) if not i.title:find('advert') then return i end end }")
    let ending = try program.run("run", "--config", config)
    #expect(ending.status == 0, "\(ending.messages)")
    let items = try program.run("items", "--json")
    let titles = items.lines.compactMap { line in
      line.firstMatch(of: /"title":"([^"]*)"/).map { String($0.1) }
    }
    #expect(
      titles.sorted() == ["a all plugin job own", "b all plugin", "c all"], "\(items.messages)")
  }

  @Test func `check reports the mistakes of hook files in a config`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("plugins/source.lua", Self.source)
    try program.write(
      "hooks/notes.lua",
      "return { options = { to = { required = true } }, on_new_data = function() end }")
    let folder = program.folder.path
    let config = try program.write(
      "fetchrun.yaml",
      """
      plugins: \(folder)/plugins
      hooks:
        - name: first
          lua: nothing
        - name: second
          lua: {file: hooks/notes.lua, options: {too: a}}
      jobs:
        - {name: one, plugin: source}
      """)
    let ending = try program.run("check", config)
    #expect(ending.status == 78)
    #expect(
      ending.messages.contains(":3:5: hook 'first': nothing: no hook file 'nothing': there is no"),
      "\(ending.messages)")
    #expect(ending.messages.contains(":5:5: hook 'second': "), "\(ending.messages)")
    #expect(ending.messages.contains("(did you mean 'to'?)"), "\(ending.messages)")
  }

  @Test func `check compares the events of a hook file with its functions`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("plugins/source.lua", Self.source)
    try program.write(
      "tell.lua", "return { on_new_data = function() end, on_recovered = function() end }")
    let folder = program.folder.path
    func check(_ on: String, _ words: String...) throws -> Program.Ending {
      let config = try program.write(
        "fetchrun.yaml",
        """
        plugins: \(folder)/plugins
        hooks:
          - {name: tell, \(on)lua: ./tell.lua}
        jobs:
          - {name: one, plugin: source}
        """)
      return try program.run(["check", config] + words)
    }
    let file = "\(folder)/fetchrun.yaml"
    let wrong = try check("on: [added, noData], ")
    #expect(wrong.status == 78)
    #expect(
      wrong.messages == "fetchrun: \(file):3:30: hook 'tell': `on` contains 'noData', but "
        + "\(folder)/./tell.lua has no function on_no_data\n")
    let less = try check("on: [added], ")
    #expect(less.status == 0)
    #expect(less.output == "\(file): fine: 1 job\n")
    #expect(
      less.messages == "fetchrun: \(file):3:23: warning: hook 'tell': `on` does not contain "
        + "'recovered', so on_recovered of \(folder)/./tell.lua is never called\n")
    let json = try check("on: [added], ", "--json")
    #expect(json.status == 0)
    #expect(try JSONReader.decode(json.output)["warning"] == true)
    let all = try check("")
    #expect(all.status == 0 && all.messages == "")
  }

  // MARK: Deliveries

  @Test func `a hook file gets news again until it succeeds, with the same key`() throws {
    let program = try Program()
    defer { program.remove() }
    let visits = Mutex(0)
    let room = try ScriptedServer { _, connection in
      let visit = visits.withLock { count in
        count += 1
        return count
      }
      connection.answer(visit == 1 ? 500 : 200)
    }
    defer { room.stop() }
    try program.write("plugins/source.lua", Self.source)
    try program.write(
      "hooks/room.lua",
      """
      local http, log = require "http", require "log"
      return {
        options = { url = { type = "url", required = true } },
        permissions = {
          http = { "{options.url}" }, secrets = { token = { hosts = { "{options.url}" } } },
        },
        on_new_data = function(run, changes, ctx)
          log.info("telling of", #changes)
          local response, problem = http.post(ctx.options.url, {
            bearer = ctx:secret("token"),
            json = { delivery = run.delivery, job = run.job, first = changes[1].title },
          })
          if not response then return nil, problem end
          if not response.ok then return nil, "answered " .. response.status end
        end,
      }
      """)
    let folder = program.folder.path
    let config = try program.write(
      "fetchrun.yaml",
      """
      plugins: \(folder)/plugins
      hooks:
        - name: room
          lua:
            file: \(folder)/hooks/room.lua
            options: {url: "\(room.url)/"}
            allow_private: true
            secrets: {token: {env: TOKEN}}
      jobs:
        - {name: one, plugin: source}
      """)
    let ending = try program.run(
      "run", "--config", config, environment: ["TOKEN": "s3cret-t0ken"])
    #expect(ending.status == 0, "\(ending.messages)")
    #expect(ending.messages.contains("hook room: telling of 3"), "\(ending.messages)")
    #expect(ending.messages.contains("is retried: answered 500"), "\(ending.messages)")
    #expect(room.requests.count == 2)
    let bodies = room.requests.map { String(decoding: $0.body, as: UTF8.self) }
    let told = try JSONReader.decode(bodies.first ?? "")
    #expect(try JSONReader.decode(bodies.last ?? "") == told)
    #expect(told["job"] == "one")
    #expect(told["delivery"]?.stringValue?.hasSuffix("_room_0_0") == true, "\(bodies)")
    #expect(room.requests.first?.header("authorization") == "Bearer s3cret-t0ken")
    // A completed delivery is not repeated.
    _ = try program.run("run", "--config", config, environment: ["TOKEN": "s3cret-t0ken"])
    #expect(room.requests.count == 2)
  }

  @Test func `a run on the command line may have hook files`() throws {
    let program = try Program()
    defer { program.remove() }
    let room = try ScriptedServer { _, connection in connection.answer(200) }
    defer { room.stop() }
    let plugin = try program.write("source.lua", Self.source)
    let tidy = try program.write(
      "tidy.lua",
      """
      return { on_item = function(item) if item.id ~= "advert" then return item end end }
      """)
    let tell = try program.write(
      "tell.lua",
      """
      local http, log = require "http", require "log"
      return {
        permissions = { http = { "127.0.0.1:*" } },
        on_new_data = function(run, changes)
          log.info("telling of", #changes)
          assert(http.post("\(room.url)/", { json = {} }))
        end,
      }
      """)
    let words = [
      "--plugin", plugin, "--store", program.store,
      "--allow-private-network", "127.0.0.0/8", "--hook", tidy, "--hook", tell,
    ]
    let ending = try program.run(words)
    #expect(ending.status == 0 && ending.output.hasPrefix("newData  source  2 added"), "\(ending)")
    #expect(
      ending.messages == """
        fetchrun: source may reach the private addresses of 127.0.0.0/8
        fetchrun: hook tidy may reach the private addresses of 127.0.0.0/8
        fetchrun: hook tell may reach 127.0.0.1:*; may reach the private addresses of 127.0.0.0/8
        fetchrun: hook tell: telling of 2

        """)
    #expect(room.requests.count == 1)
    let trouble = try program.write(
      "trouble.lua", "return { on_failed = function() error('called') end }")
    let quiet = try program.run(words + ["--hook", trouble])
    #expect(quiet.status == 0 && quiet.output.hasPrefix("noData"))
    #expect(
      quiet.messages.contains(
        "hook trouble: on_failed is not called, because only failures of jobs in a config are "
          + "counted\n"
      ))
    #expect(room.requests.count == 1)
    let twice = try program.run(words + ["--hook", tell])
    #expect(twice.status != 0)
    #expect(
      twice.messages.contains("duplicate hook name 'tell': remove one of the two hooks"),
      "\(twice)")
    let none = try program.run(["--plugin", plugin, "--hook", "tidi"])
    #expect(none.status == 78 && none.messages.contains("no hook file 'tidi'"), "\(none)")
  }

  // MARK: Grants

  @Test func `a changed hook file that asks for more waits for approval`() throws {
    let program = try Program()
    defer { program.remove() }
    let room = try ScriptedServer { _, connection in connection.answer(200) }
    defer { room.stop() }
    try program.write("plugins/source.lua", Self.source)
    func write(_ hosts: String, drop: String) throws {
      try program.write(
        "room.lua",
        """
        return {
          permissions = { http = { "127.0.0.1:*"\(hosts) } },
          on_item = function(item) if item.id ~= "\(drop)" then return item end end,
          on_new_data = function() assert(require("http").post("\(room.url)/", { json = {} })) end,
        }
        """)
    }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      plugins: plugins
      hooks:
        - {name: room, lua: {file: ./room.lua, allow_private: true}}
        - {name: shown, command: ["true"]}
      jobs:
        - {name: one, plugin: source}

      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    func fetchrun(_ words: String...) throws -> Program.Ending {
      try program.start(words + ["--config", config]).wait()
    }
    try write("", drop: "advert")
    let before = try fetchrun("permissions", "--hook", "room")
    #expect(
      Array(before.lines.dropFirst()) == [
        "It may", "  reach 127.0.0.1:* (will be granted at its first run)",
        "  reach every private address (by the config)",
      ], "\(before)")
    let first = try fetchrun("run")
    #expect(first.status == 0 && first.output.hasPrefix("newData  one  2 added"), "\(first)")
    #expect(first.messages.contains("one: info: hook room: granted at the first run: to reach 127"))
    #expect(room.requests.count == 1)

    try write(", \"evil.example\"", drop: "none")
    let held = try fetchrun("run")
    #expect(held.status == 0 && held.output.hasPrefix("newData  one  1 added"), "\(held)")
    let file = program.folder.path + "/./room.lua"
    let reason =
      "\(file) has changed and asks for more than was granted: to reach evil.example; the file "
      + "has not run: see `fetchrun diff-permissions --hook room --config \(config)`, and allow "
      + "it with `fetchrun grant --hook room --config \(config)`"
    #expect(
      held.messages.contains(
        "one: warning: hook room: on_item failed (permission), the remaining items stay unchanged: "
          + "\(reason)\n"), "\(held.messages)")
    #expect(held.messages.contains("hook 'room': deliveries wait: \(reason)\n"))
    #expect(held.messages.contains("1 delivery waits in the outbox for a later run"))
    #expect(room.requests.count == 1)
    #expect(try fetchrun("deliveries").output.contains("evil.example"))
    let explained = try fetchrun("explain", "one")
    #expect(explained.lines.last == "Its hook room is held: \(reason).", "\(explained)")
    // A held hook does not stop the job's runs.
    let gates = try fetchrun("explain", "one", "--json").output
    #expect(gates.contains(#"{"gate":"grant","isOpen":true,"why":null}"#), "\(gates)")

    let wanted = try fetchrun("diff-permissions", "--hook", "room")
    #expect(wanted.status == 1 && wanted.output == "+ reach evil.example\n")
    let said = try fetchrun("permissions", "--hook", "room", "--json")
    #expect(said.output.hasPrefix(#"{"hook":"room","plugin":"room","file":"\#(file)","#))
    #expect(said.output.contains(#""grantedBy":"firstRun","held":"\#(reason)"}"#), "\(said.output)")
    let agreed = try fetchrun("grant", "--hook", "room", "--yes")
    #expect(agreed.status == 0 && agreed.output == "room: granted; it may be called from now on\n")
    #expect(agreed.messages.hasSuffix("fetchrun: + reach evil.example\n"))
    #expect(try fetchrun("diff-permissions", "--hook", "room").status == 0)
    let freed = try fetchrun("run")
    #expect(freed.status == 0 && freed.messages == "", "\(freed.messages)")
    #expect(try !fetchrun("explain", "one").output.contains("is held"))
    #expect(room.requests.count == 2)

    let unknown = try fetchrun("permissions", "--hook", "rom")
    #expect(
      unknown.status == 78
        && unknown.messages.contains("no hook 'rom' (did you mean 'room'?)"), "\(unknown)")
    let other = try fetchrun("grant", "--hook", "shown", "--yes")
    #expect(
      other.messages.contains(":5:5: hook 'shown' has no hook file, so there is nothing to grant"),
      "\(other)")
  }

  @Test func `a daemon makes the waiting deliveries as soon as the user approves`() throws {
    let program = try Program()
    defer { program.remove() }
    let room = try ScriptedServer { _, connection in connection.answer(200) }
    defer { room.stop() }
    try program.write("plugins/source.lua", Self.source)
    func write(_ hosts: String) throws {
      try program.write(
        "room.lua",
        """
        return {
          permissions = { http = { "127.0.0.1:*"\(hosts) } },
          on_new_data = function() assert(require("http").post("\(room.url)/", { json = {} })) end,
        }
        """)
    }
    func configure(_ items: String) throws -> String {
      try program.write(
        "fetchrun.yaml",
        """
        store: \(program.store)
        plugins: plugins
        hooks:
          - {name: room, lua: {file: ./room.lua, allow_private: true}}
        jobs:
          - {name: one, plugin: source, interval: 1h, options: {items: [\(items)]}}

        """)
    }
    let config = try configure("a")
    try write("")
    #expect(try program.start(["run", "--config", config]).wait().status == 0)
    #expect(room.requests.count == 1)
    try write(", \"evil.example\"")
    _ = try configure("a, b")
    let daemon = try Watched(program, ["serve", "--config", config])
    defer { daemon.signal(SIGKILL) }
    #expect(daemon.wait(forMessage: "serving"))
    #expect(try program.start(["run", "one", "--config", config]).wait().status == 0)
    #expect(daemon.wait(forMessage: "hook 'room': deliveries wait: "))
    let granted = try program.start(["grant", "--hook", "room", "--yes", "--config", config]).wait()
    #expect(
      granted.status == 0 && granted.output == "room: granted; it may be called from now on\n")
    while room.requests.count < 2 { sched_yield() }
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
