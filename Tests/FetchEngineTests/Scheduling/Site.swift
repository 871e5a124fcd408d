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

  /// A script of an address. The script returns the answer to the nth request to this address,
  /// counted from 1.
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
  /// The requested addresses in the order of arrival, in the form `h1/a` for http://h1.localhost/a.
  var asked: [String] { scene.state.withLock { $0.asked } }

  /// Scripts the answers of an address. `place` has the form of an entry of `asked`.
  func at(_ place: String, _ script: @escaping Script) {
    scene.state.withLock { $0.scripts[place] = script }
  }

  /// Delays the answers of an address until the test releases these answers one by one.
  func hold(_ place: String) {
    scene.state.withLock { $0.gates[place] = DispatchSemaphore(value: 0) }
  }

  func release(_ place: String, count: Int = 1) {
    let gate = scene.state.withLock { $0.gates[place] }
    for _ in 0..<count { gate?.signal() }
  }

  /// Ends the delay of an address and answers its waiting requests.
  func free(_ place: String) {
    let gate = scene.state.withLock { $0.gates.removeValue(forKey: place) }
    for _ in 0..<100 { gate?.signal() }
  }

  /// Returns when an address has been requested `count` times.
  func wait(for place: String, count: Int) async {
    while scene.state.withLock({ $0.counts[place, default: 0] }) < count { await Task.yield() }
  }

  func stop() { server.stop() }
}
