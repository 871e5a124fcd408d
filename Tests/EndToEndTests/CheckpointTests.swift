import FetchTestSupport
import Foundation
import Testing

/// `ctx:checkpoint()`: what was stored by it stays, whatever comes after.
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

  @Test func `a run that fails after a checkpoint keeps it, the next goes on from there`() throws {
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
}
