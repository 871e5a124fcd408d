import FetchTestSupport
import Foundation
import Synchronization

/// A server of any number of hostnames whose feeds grow, each with an ETag. The server records each
/// request with its time, and whether the hostname had no other answer under way.
final class Newsroom: Sendable {
  struct Visit: Sendable {
    /// The hostname without `.localhost`, such as `s1` for s1.localhost. Other hostnames are
    /// unchanged.
    var hostname: String
    var path: String
    var at: ContinuousClock.Instant
    /// Whether the hostname had no other answer under way.
    var isAlone: Bool
    /// Whether the test delayed the answer.
    var isHeld: Bool
  }

  private struct State {
    var visits: [Visit] = []
    var counts: [String: Int] = [:]
    var published: [String: Int] = [:]
    var answering: [String: Int] = [:]
    var gates: [String: DispatchSemaphore] = [:]
    var isQuiet = false
  }

  private final class Scene: Sendable {
    let state = Mutex(State())
    let asked = DispatchSemaphore(value: 0)
    /// The number of items that a feed has at its nth request, counted from 1.
    let publishes: @Sendable (Int) -> Int

    init(_ publishes: @escaping @Sendable (Int) -> Int) { self.publishes = publishes }

    func begin(_ hostname: String, _ path: String) -> DispatchSemaphore? {
      state.withLock { state in
        let place = hostname + path
        state.counts[place, default: 0] += 1
        state.answering[hostname, default: 0] += 1
        state.visits.append(
          Visit(
            hostname: hostname, path: path, at: .now, isAlone: state.answering[hostname] == 1,
            isHeld: state.gates[hostname] != nil))
        let count = publishes(state.counts[place, default: 0])
        if !state.isQuiet || state.published[place] == nil {
          state.published[place] = max(count, state.published[place, default: 0])
        }
        return state.gates[hostname]
      }
    }

    /// Records the end of an answer and returns the feed's number of items. The caller sends the
    /// answer afterwards, because the client may react immediately.
    func end(_ hostname: String, _ path: String) -> Int {
      state.withLock { state in
        state.answering[hostname, default: 1] -= 1
        return state.published[hostname + path, default: 0]
      }
    }
  }

  private let scene: Scene
  private let server: ScriptedServer
  var port: UInt16 { server.port }

  /// - Parameter publishes: the number of items that a feed has at its nth request, counted from 1.
  init(
    address: String = "127.0.0.1", publishes: @escaping @Sendable (Int) -> Int = { ($0 + 1) / 2 }
  ) throws {
    let scene = Scene(publishes)
    self.scene = scene
    server = try ScriptedServer(address: address) { request, connection in
      let host = request.header("host")?.prefix { $0 != ":" } ?? ""
      let hostname = String(host.replacing(".localhost", with: ""))
      let gate = scene.begin(hostname, request.path)
      scene.asked.signal()
      gate?.wait()
      let count = scene.end(hostname, request.path)
      let tag = "\"\(count)\""
      if request.header("if-none-match") == tag { return connection.answer(304, ["ETag: \(tag)"]) }
      connection.answer(200, ["ETag: \(tag)"], Self.feed(hostname + request.path, count))
    }
  }

  private static func feed(_ place: String, _ count: Int) -> String {
    let items = (0..<count).map { "<item><guid>\(place)/\($0)</guid><title>\($0)</title></item>" }
    return "<rss version=\"2.0\"><channel><title>t</title>\(items.joined())</channel></rss>"
  }

  // MARK: Jobs

  /// Returns one job's entry in a config, with further keys in `more`.
  func job(
    _ name: String, at hostname: String, _ path: String = "/feed", every: String, more: String = ""
  ) -> String {
    let host = hostname.contains(".") ? hostname : "\(hostname).localhost"
    return "  - {name: \(name), plugin: rss, interval: \(every), \(more.isEmpty ? "" : more + ", ")"
      + "options: {url: \"http://\(host):\(server.port)\(path)\"}}\n"
  }

  // MARK: Records

  var visits: [Visit] { scene.state.withLock { $0.visits } }
  func visits(of hostname: String) -> [Visit] { visits.filter { $0.hostname == hostname } }

  /// The ids of all published items, such as `s1/feed/0`.
  var published: Set<String> {
    let published = scene.state.withLock { $0.published }
    return Set(published.flatMap { place, count in (0..<count).map { "\(place)/\($0)" } })
  }

  /// Waits until the requests satisfy the condition.
  func wait(_ isWanted: ([Visit]) -> Bool) {
    while !isWanted(visits) { scene.asked.wait() }
  }

  func wait(for hostname: String, count: Int) {
    wait { $0.count { $0.hostname == hostname } >= count }
  }

  /// Waits until an answer of the hostname is delayed, to a request after the first `count`
  /// requests to the server.
  func waitUntilHeld(_ hostname: String, after count: Int = 0) {
    wait { $0.dropFirst(count).contains { $0.hostname == hostname && $0.isHeld } }
  }

  // MARK: Control

  /// Stops the growth of the feeds.
  func rest() { scene.state.withLock { $0.isQuiet = true } }

  /// Delays the answers to later requests to a hostname.
  func hold(_ hostname: String) {
    scene.state.withLock { $0.gates[hostname] = DispatchSemaphore(value: 0) }
  }

  func free(_ hostname: String) {
    let gate = scene.state.withLock { $0.gates.removeValue(forKey: hostname) }
    for _ in 0..<100 { gate?.signal() }
  }

  func stop() { server.stop() }
}
