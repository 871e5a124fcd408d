import FetchTestSupport
import Foundation
import Synchronization

/// A server of any number of hostnames below localhost, which records the time of each request.
final class Hostnames: Sendable {
  struct Visit: Sendable {
    /// The first label of the hostname: `h1` for h1.localhost.
    var hostname: String
    var path: String
    var at: ContinuousClock.Instant
  }

  private struct State {
    var visits: [Visit] = []
    var gates: [String: DispatchSemaphore] = [:]
  }

  private final class Scene: Sendable {
    let state = Mutex(State())
    let asked = DispatchSemaphore(value: 0)
  }

  private let scene = Scene()
  private let server: ScriptedServer

  init() throws {
    let scene = scene
    server = try ScriptedServer { request, connection in
      let hostname = String(request.header("host")?.prefix { $0 != "." } ?? "")
      let gate = scene.state.withLock { state in
        state.visits.append(Visit(hostname: hostname, path: request.path, at: .now))
        return state.gates[hostname]
      }
      scene.asked.signal()
      gate?.wait()
      if request.path == "/gone" { return connection.answer(410, [], "gone") }
      connection.answer(200, [], Self.feed(request.path))
    }
  }

  /// Returns a feed of two constant items for a path. The feed at `/ttl` has a ttl of an hour.
  private static func feed(_ path: String) -> String {
    "<rss version=\"2.0\"><channel><title>t</title>\(path == "/ttl" ? "<ttl>60</ttl>" : "")"
      + "<item><guid>\(path)/1</guid><title>One</title></item>"
      + "<item><guid>\(path)/2</guid><title>Two</title></item></channel></rss>"
  }

  static let itemsPerFeed = 2

  var visits: [Visit] { scene.state.withLock { $0.visits } }
  func url(_ hostname: String, _ path: String) -> String {
    "http://\(hostname).localhost:\(server.port)\(path)"
  }

  /// Returns one job's entry in a config.
  func job(_ name: String, at hostname: String, _ path: String = "/feed", every: String) -> String {
    "  - {name: \(name), plugin: rss, options: {url: \"\(url(hostname, path))\"},"
      + " interval: \(every)}\n"
  }

  /// Waits until the requests satisfy the condition.
  func wait(_ isWanted: ([Visit]) -> Bool) {
    while !isWanted(visits) { scene.asked.wait() }
  }

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
