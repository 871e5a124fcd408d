import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation

/// A search for all names that a plugin can use, by a plugin that lists them: `json.decode`,
/// `ctx:emit`, `node:text`, `response.status`, and `_G.assert` for globals.
enum Explorer {
  private static let plugin = """
    local http, html = require "http", require "html"

    return {
      api = 1, name = "explorer", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local function list(prefix, names)
          for name in pairs(names) do ctx:emit { id = prefix .. name } end
        end
        local _, message = pcall(require, "no such module")
        for module in message:match("the modules are ([^;]*)"):gmatch("%w+") do
          list(module .. ".", require(module))
        end
        -- Some come only when they are asked for.
        local _, fields = pcall(function() return ctx.no_such_field end)
        for name in fields:match("it has (.*)"):gmatch("[%w_]+") do
          ctx:emit { id = "ctx" .. (type(ctx[name]) == "function" and ":" or ".") .. name }
        end
        local node = html.parse("<p>text</p>")
        list("node:", getmetatable(node).__index)
        if node.name then ctx:emit { id = "node.name" } end
        local response = http.get(ctx.options.url)
        list("response.", response)
        list("response:", getmetatable(response).__index)
        for name in pairs(_G) do if name ~= "_G" then ctx:emit { id = "_G." .. name } end end
      end,
    }
    """

  static func names() async throws -> Set<String> {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "explorer.lua")
    try Data(plugin.utf8).write(to: file)
    let options = ValueObject([("url", .string(server.url + "/"))])
    let report = await bench.run(try await bench.job(file.path, options: options))
    try await bench.close()
    if let failure = report.record.outcome.failure { throw failure }
    return Set(report.lines.map(\.key.text))
  }
}
