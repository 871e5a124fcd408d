import Dispatch
import FetchTestSupport
import Synchronization

/// A server with any number of hostnames below localhost. Each address answers as scripted, by
/// default with a feed of one item.
final class Site: Sendable {
  struct Answer: Sendable {
    var status = 200
    var headers: [String] = []
    var body = Site.feed(items: 1)
  }

  /// Scripts an address's answer to its nth request, counted from 1.
  typealias Script = @Sendable (Int) -> Answer

  private struct State {
    var scripts: [String: Script] = [:]
    var asked: [String] = []
    var counts: [String: Int] = [:]
    var gates: [String: DispatchSemaphore] = [:]
  }

  private final class Scene: Sendable {
    let state = Mutex(State())
  }

  private let scene = Scene()
  private let server: ScriptedServer

  init() throws {
    let scene = scene
    server = try ScriptedServer { request, connection in
      let hostname = request.header("host")?.prefix { $0 != "." } ?? ""
      let place = "\(hostname)\(request.path)"
      let (gate, script, count) = scene.state.withLock { state in
        state.asked.append(place)
        state.counts[place, default: 0] += 1
        return (state.gates[place], state.scripts[place], state.counts[place, default: 0])
      }
      gate?.wait()
      let answer = script?(count) ?? Answer()
      connection.answer(answer.status, answer.headers, answer.body)
    }
  }

  static func feed(items count: Int) -> String {
    let items = (0..<count).map { "<item><guid>\($0)</guid><title>Item \($0)</title></item>" }
    return "<rss version=\"2.0\"><channel><title>t</title>\(items.joined())</channel></rss>"
  }

  var port: UInt16 { server.port }
  /// The requests as `h1/a` for http://h1.localhost/a, in the order they came.
  var asked: [String] { scene.state.withLock { $0.asked } }

  /// Returns the number of requests; `place` is as in `asked`.
  func at(_ place: String, _ script: @escaping Script) {
    scene.state.withLock { $0.scripts[place] = script }
  }

  /// Makes requests of that place wait one by one until they are released.
  func hold(_ place: String) {
    scene.state.withLock { $0.gates[place] = DispatchSemaphore(value: 0) }
  }

  func release(_ place: String, count: Int = 1) {
    let gate = scene.state.withLock { $0.gates[place] }
    for _ in 0..<count { gate?.signal() }
  }

  /// Answers immediately again, including the waiting requests.
  func free(_ place: String) {
    let gate = scene.state.withLock { $0.gates.removeValue(forKey: place) }
    for _ in 0..<100 { gate?.signal() }
  }

  /// Returns when that place has been requested that often.
  func wait(for place: String, count: Int) async {
    while scene.state.withLock({ $0.counts[place, default: 0] }) < count { await Task.yield() }
  }

  func stop() { server.stop() }
}
