import Dispatch
import FetchTestSupport
import FetchValues
import Synchronization

/// A server that receives the requests of hooks, and a hook file that reports each of its calls to
/// this server.
final class HookReceiver: Sendable {
  struct Visit: Sendable {
    var path: String
    var key: String
    var event: String
    var titles: [String]
    var failures: Int64?
  }

  private final class Scene: Sendable {
    let visits = Mutex<[Visit]>([])
    let came = DispatchSemaphore(value: 0)
    let isHeld = Mutex(false)
    let gate = DispatchSemaphore(value: 0)
  }

  private let scene: Scene
  private let server: ScriptedServer
  var url: String { server.url }

  init() throws {
    let scene = Scene()
    self.scene = scene
    server = try ScriptedServer { request, connection in
      // A program that is killed during a request sends an incomplete body, which delivers nothing.
      guard let told = try? JSONReader.decode(request.body) else { return connection.close() }
      let visit = Visit(
        path: request.path, key: request.header("idempotency-key") ?? "",
        event: told["event"]?.stringValue ?? "",
        titles: (told["items"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue },
        failures: told["failures"]?.integerValue)
      let isHeld = scene.isHeld.withLock { $0 }
      scene.visits.withLock { $0.append(visit) }
      scene.came.signal()
      if isHeld { scene.gate.wait() }
      connection.answer(204)
    }
  }

  /// The requests in the order of their arrival.
  var visits: [Visit] { scene.visits.withLock { $0 } }

  func wait(_ isWanted: ([Visit]) -> Bool) {
    while !isWanted(visits) { scene.came.wait() }
  }

  /// Delays the answers to later requests.
  func hold() { scene.isHeld.withLock { $0 = true } }

  func free() {
    scene.isHeld.withLock { $0 = false }
    for _ in 0..<100 { scene.gate.signal() }
  }

  func stop() { server.stop() }

  static let hook = """
    local http = require "http"

    local function tell(ctx, run, event, changes)
      local items = {}
      for i, item in ipairs(changes or {}) do items[i] = { title = item.title } end
      local answer, problem = http.post(ctx.options.url, {
        headers = { ["Idempotency-Key"] = run.delivery },
        json = { event = event, items = items, failures = run.failures },
      })
      if not answer then return nil, problem end
      if not answer.ok then return nil, "answered " .. answer.status end
    end

    return {
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      on_new_data = function(run, changes, ctx) return tell(ctx, run, "newData", changes) end,
      on_no_data = function(run, ctx) return tell(ctx, run, "noData") end,
      on_failed = function(run, failure, ctx) return tell(ctx, run, "failed") end,
      on_recovered = function(run, ctx) return tell(ctx, run, "recovered") end,
    }
    """

  /// Returns a hook file that adds a word to titles.
  static func mark(_ word: String) -> String {
    "return { on_item = function(item) item.title = item.title .. ' \(word)' return item end }"
  }
}
