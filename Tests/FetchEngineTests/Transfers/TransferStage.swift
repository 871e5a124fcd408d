import FetchEngine
import FetchModel
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// A service bench whose jobs request the transfers that the test scripts. Only the test moves the
/// clock.
final class TransferStage: Sendable {
  let bench: ServiceBench
  var site: Site { bench.site }

  /// A plugin that requests the address in its option `url`, and then the transfers that the answer
  /// lists. Its items report the result of the first request for transfers, and ended transfers.
  private static let plugin = """
    local http, json = require "http", require "json"
    return {
      api = 1, name = "asker", version = "1.0.0",
      options = { url = { type = "url", required = true }, told = { type = "url" } },
      permissions = { http = { "{options.url}", "*.localhost:*", "127.0.0.1:*" } },
      fetch = function(ctx)
        local asked = assert(http.get(ctx.options.url)):json()
        local ids, problems = ctx:transfer(asked.transfers)
        if asked.checkpoint then
          ctx:checkpoint()
          ctx:transfer(asked.checkpoint)
        end
        if asked.problem then return nil, asked.problem end
        return { { id = "asked", title = json.encode({ ids, problems }) } }
      end,
      on_transfer = function(ctx, transfer)
        if ctx.options.told then
          if assert(http.get(ctx.options.told)).status ~= 200 then return nil, "not told" end
        end
        return { { id = transfer.to, title = transfer.state, ended = transfer } }
      end,
    }
    """

  /// The plugin without `on_transfer`, so that the plugin is not notified.
  private static let deaf = """
    local http = require "http"
    return {
      api = 1, name = "deaf", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "*.localhost:*" } },
      fetch = function(ctx)
        ctx:transfer(assert(http.get(ctx.options.url)):json().transfers)
      end,
    }
    """

  init() throws {
    bench = try ServiceBench()
    try bench.write("asker.lua", Self.plugin)
    try bench.write("deaf.lua", Self.deaf)
  }

  /// A config with the jobs a and b, which run only on request. Requests to a hostname have no gap.
  static let jobs = """
    lanes: {"*": {gap: 0s, connections: 8}}
    jobs:
      - {name: a, plugin: ./asker.lua, options: {url: "{h0}/a"}, interval: never}
      - {name: b, plugin: ./asker.lua, options: {url: "{h0}/b"}, interval: never}
    """

  /// Scripts the requests of a job's runs: one element for each run. The last element also applies
  /// to all later runs.
  func asks(_ job: JobName = "a", _ requests: String...) {
    let bodies = requests.map(bench.addressed)
    site.at("h0/\(job)") { count in
      Site.Answer(body: bodies[min(count, bodies.count) - 1])
    }
  }

  /// - Parameter logger: receives log lines. By default each log line fails the test.
  func open(
    _ yaml: String = jobs,
    logger: @escaping @Sendable (String) -> Void = { Issue.record("\($0)") }
  ) async throws -> OpenTransfers {
    try OpenTransfers(bench: bench, open: await bench.open(yaml, logger: logger))
  }

  func path(_ name: String, of job: JobName = "a") -> String { bench.path("files/\(job)/\(name)") }
  func partial(_ id: Int64, of job: JobName = "a") -> String {
    path("\(FilePath.hiddenFolder)/\(id)", of: job)
  }
}
