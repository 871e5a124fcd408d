import FetchTestSupport
import Synchronization

/// A server that sends a number of items, and a plugin that returns this number of items.
final class ItemSource: Sendable {
  private final class Scene: Sendable {
    let state = Mutex((count: 0, isBroken: false))
  }

  private let scene: Scene
  private let server: ScriptedServer
  var url: String { server.url }

  init() throws {
    let scene = Scene()
    self.scene = scene
    server = try ScriptedServer { _, connection in
      let (count, isBroken) = scene.state.withLock { $0 }
      connection.answer(isBroken ? 500 : 200, [], "\(count)")
    }
  }

  var count: Int {
    get { scene.state.withLock { $0.count } }
    set { scene.state.withLock { $0.count = newValue } }
  }

  var isBroken: Bool {
    get { scene.state.withLock { $0.isBroken } }
    set { scene.state.withLock { $0.isBroken = newValue } }
  }

  func stop() { server.stop() }

  /// A plugin that returns `Item 1` and so on, with the newest item first, as in feeds.
  static let plugin = """
    local http = require "http"
    return {
      api = 1, name = "source", version = "1",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local answer = assert(http.get(ctx.options.url, { conditional = false }))
        if not answer.ok then return nil, "answered " .. answer.status end
        local items = {}
        for i = tonumber(answer.body), 1, -1 do
          items[#items + 1] = { id = tostring(i), title = "Item " .. i }
        end
        return items
      end,
    }
    """
}
