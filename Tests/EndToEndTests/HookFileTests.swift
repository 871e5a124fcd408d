import FetchModel
import FetchTestSupport
import Foundation
import Synchronization
import Testing

/// Hook files by the real program.
@Suite struct HookFileTests {
  @Test func `check says what is wrong with a hook file, where, and what to do`() throws {
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
        \(file):1: timeout: write a duration such as "30s" or "2m"
        \(file):2: on_itme: unknown function (did you mean 'on_item'?); a hook file may \
        have before_run, on_item, on_new_data, on_no_data, on_failed, on_recovered

        """)
  }

  @Test func `check says what a shipped hook file asks for`() throws {
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

  @Test func `a hook file is no plugin`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "plugins/hooks/ntfy.lua")
    #expect(ending.status == 78)
    #expect(ending.messages.contains("a plugin needs a function: fetch = function(ctx) … end"))
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

  @Test func `hooks are for all jobs, for a plugin, or for a job, in the config's order`() throws {
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

  @Test func `check names the mistakes of hook files in a config`() throws {
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

  // MARK: Deliveries

  @Test func `a hook file is told of news until it takes them, by the same key`() throws {
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
    #expect(ending.messages.contains("is tried again: answered 500"), "\(ending.messages)")
    #expect(room.requests.count == 2)
    let bodies = room.requests.map { String(decoding: $0.body, as: UTF8.self) }
    let told = try JSONReader.decode(bodies.first ?? "")
    #expect(try JSONReader.decode(bodies.last ?? "") == told)
    #expect(told["job"] == "one")
    #expect(told["delivery"]?.stringValue?.hasSuffix("_room_0_0") == true, "\(bodies)")
    #expect(room.requests.first?.header("authorization") == "Bearer s3cret-t0ken")
    // What was delivered is not told again.
    _ = try program.run("run", "--config", config, environment: ["TOKEN": "s3cret-t0ken"])
    #expect(room.requests.count == 2)
  }
}
