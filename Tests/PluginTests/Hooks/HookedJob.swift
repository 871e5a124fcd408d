import FetchEngine
import FetchModel
import FetchValues
import Foundation

/// A job with hook files. The job's plugin returns the items that a test specifies as JSON.
struct HookedJob {
  let bench: PluginBench
  private let path: String
  var hooks: [LuaHook] = []
  var limits: Value = [:]

  /// Creates the job. `manifest` is additional text for the plugin's table.
  init(
    _ bench: PluginBench, manifest: String = "",
    fetch: String = "return require('json').decode(ctx.options.items)"
  ) throws {
    self.bench = bench
    let file = bench.folder.appending(path: "source-\(UUID().uuidString).lua")
    let text = """
      return {
        api = 1, name = "source", version = "1.0.0",
        options = { items = { default = "[]" } }, \(manifest)
        fetch = function(ctx) \(fetch) end,
      }
      """
    try Data(text.utf8).write(to: file)
    path = file.path
  }

  func job(_ items: String = "[]") async throws -> Job {
    var job = try await bench.job(path, options: ValueObject([("items", .string(items))]))
    for limit in limits.objectValue?.members ?? [] {
      try job.limits.set(limit.key, to: limit.value)
    }
    job.hooks = hooks
    return job
  }

  /// Runs the job with these items, a list in JSON.
  func run(_ items: String = "[]") async throws -> RunReport {
    await bench.run(try await job(items))
  }
}

extension RunReport {
  /// The changes in the order of the store, in the form `added a: title`.
  var news: [String] {
    lines.map { "\($0.change.word) \($0.key.text)" + ($0.title.map { ": \($0)" } ?? "") }
  }

  var messages: [String] { logs.map { "\($0.level.rawValue) \($0.message)" } }
}
