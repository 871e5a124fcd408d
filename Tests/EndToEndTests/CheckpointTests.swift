import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `ctx:checkpoint()`. The items of a checkpoint stay stored if the run fails later.
@Suite struct CheckpointTests {
  static let plugin = """
    local http = require "http"
    return {
      api = 1, name = "pages", version = "1",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        for page = ctx.state.page or 1, 3 do
          local response, problem = http.get(ctx.options.url, { query = { page = page } })
          if not response then return nil, problem end
          if not response.ok then return nil, "page " .. page .. " answered " .. response.status end
          ctx:emit({ id = page, title = response.body })
          ctx.state.page = page + 1
          ctx:checkpoint()
        end
      end,
    }
    """

  @Test func `a run that fails after a checkpoint keeps it, and the next run continues from it`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("pages.lua", Self.plugin)
    let broken = try ScriptedServer { request, connection in
      request.path.hasSuffix("page=3")
        ? connection.answer(500) : connection.answer(200, [], "text of \(request.path)")
    }
    defer { broken.stop() }
    let arguments = [
      "--plugin", path, "--option", "url=\(broken.url)/", "--allow-private", "--job", "pages",
      "--json",
    ]
    let first = try program.start(arguments).wait()
    #expect(first.status == 1)
    #expect(first.output.contains("\"message\":\"page 3 answered 500\""))
    let counts = "\"outcome\":\"failed\",\"reason\":null,\"added\":2,\"updated\":0,\"removed\":0"
    #expect(first.lines.last?.contains(counts) == true)
    #expect(try program.run("runs", "--json").output.contains(counts))
    #expect(
      try program.run("runs").output.contains(
        "pluginFailed: page 3 answered 500; stored before: 2 added, 0 updated, 0 removed"))
    let stored = try program.run("items", "pages", "--json")
    #expect(stored.lines.count == 2)

    let mended = try ScriptedServer { request, connection in
      connection.answer(200, [], "text of \(request.path)")
    }
    defer { mended.stop() }
    let second = try program.run(
      "--plugin", path, "--option", "url=\(mended.url)/", "--allow-private", "--job", "pages",
      "--json")
    #expect(second.status == 0)
    #expect(second.output.contains("\"outcome\":\"newData\",\"reason\":null,\"added\":1"))
    #expect(mended.requests.map(\.path) == ["/?page=3"])
    #expect(try program.run("items", "pages", "--json").lines.count == 3)
  }

  @Test func `a state that is restored after a checkpoint replaces the checkpoint's state`() throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "restoring.lua",
      """
      return {
        api = 1, name = "restoring", version = "1",
        fetch = function(ctx)
          ctx:note("page " .. tostring(ctx.state.page))
          ctx.state.page = 7
          ctx:checkpoint()
          ctx.state.page = 1
        end,
      }
      """)
    let notes = try (1...3).map { _ in
      let ending = try program.run("--plugin", path, "--job", "j", "--json")
      #expect(ending.status == 0)
      return try JSONReader.decode(try #require(ending.lines.last))["note"]?.stringValue
    }
    #expect(notes == ["page nil", "page 1", "page 1"])
  }

  @Test func `a state is stored although the plugin catches the error of a checkpoint`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "catching.lua",
      """
      return {
        api = 1, name = "catching", version = "1",
        fetch = function(ctx)
          ctx:note("page " .. tostring(ctx.state.page))
          ctx.state.page = (ctx.state.page or 0) + 1
          ctx:emit({})
          local stored = pcall(ctx.checkpoint, ctx)
          if stored then error("the checkpoint was stored") end
        end,
      }
      """)
    let notes = try (1...2).map { _ in
      let ending = try program.run("--plugin", path, "--job", "j", "--json")
      return try JSONReader.decode(try #require(ending.lines.last))["note"]?.stringValue
    }
    #expect(notes == ["page nil", "page 1"])
  }

  /// A plugin that stores 60 items in two checkpoints, waits for an answer of a server, and then
  /// emits 10 more items.
  static let many = """
    local http = require "http"
    return {
      api = 1, name = "many", version = "1",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        for i = 1, 60 do
          ctx:emit({ id = i, title = "item " .. i })
          if i % 30 == 0 then ctx:checkpoint() end
        end
        assert(http.get(ctx.options.url))
        for i = 61, 70 do ctx:emit({ id = i, title = "item " .. i }) end
      end,
    }
    """

  private func arguments(_ program: Program, _ server: ScriptedServer) throws -> [String] {
    let path = try program.write("many.lua", Self.many)
    return [
      "--plugin", path, "--option", "url=\(server.url)/", "--allow-private", "--job", "many",
    ]
  }

  @Test func `text output shows the last items of all parts, and the number of the others`() throws
  {
    let program = try Program()
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "go on") }
    defer { server.stop() }
    let run = try program.start(try arguments(program, server)).wait()
    #expect(run.lines.count == 52)
    #expect(run.lines.first?.hasPrefix("newData  many  70 added, 0 updated, 0 removed  (") == true)
    #expect(run.lines[1].contains("item 61 "))
    #expect(run.lines[11].contains("item 31 "))
    #expect(run.lines[50].contains("item 10 "))
    #expect(run.lines.last == "  … and 20 more: fetchrun items")
  }

  @Test func `JSON output has each item as soon as it is stored, and the run's record last`() throws
  {
    let program = try Program()
    defer { program.remove() }
    let gate = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { _, connection in
      gate.wait()
      connection.answer(200, [], "go on")
    }
    defer { server.stop() }
    let run = try Watched(program, try arguments(program, server) + ["--json"])
    #expect(run.wait(for: .output) { $0.count == 60 })
    gate.signal()
    #expect(run.end() == 0)
    let sequences = try run.output.dropLast().map {
      try JSONReader.decode($0)["sequence"]?.integerValue
    }
    #expect(sequences == (1...70).map { Int64($0) })
    #expect(run.output.last?.contains("\"outcome\":\"newData\"") == true)
  }
}
