import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization

@testable import FetchWeb

/// A whole site with a store in memory and a daemon whose answers the test scripts.
final class TestSite: Sendable {
  let site: WebSite
  let access: WebAccess
  let store: MemoryStore
  let folder: String

  static let start = Timestamp(seconds: 1_800_000_000)

  init(
    _ settings: WebSettings = WebSettings(), routes: [Route] = WebRoutes.all,
    daemon: @escaping WebControl.Send = TestSite.noDaemon,
    clock timer: any Clock<Duration> = HostClock()
  ) throws {
    folder = try TemporaryFolder.make("web")
    store = MemoryStore(path: folder + "/store.sqlite")
    let clock = SharedTime()
    let random = SeededWords()
    access = WebAccess(
      settings, file: AccessFile(path: folder + "/web.json"), random: { random.next() })
    site = WebSite(
      routes,
      WebContext(
        store: WebStore(store, now: { clock.now }), control: WebControl(daemon), access: access,
        now: { clock.now }, clock: timer))
    shared = clock
  }

  private let shared: SharedTime

  func advance(_ duration: Duration) { shared.advance(duration) }
  var now: Timestamp { shared.now }

  /// Adds an access token and returns the token.
  func token(
    _ name: String = "t", _ scopes: Set<Scope> = Set(Scope.allCases), jobs: [String]? = nil,
    expiresIn: Duration? = nil
  ) throws -> String {
    let secret = AccessSecret.make(AccessSecret.tokenPrefix) { UInt64.random(in: .min ... .max) }
    try access.file.change { records throws(AccessFileError) in
      records.tokens.append(
        WebToken(
          name: name, hash: AccessSecret.hash(secret), scopes: scopes, jobs: jobs, createdAt: now,
          expiresAt: expiresIn.map { now + $0 }))
    }
    return secret
  }

  func code() throws -> String {
    try access.file.change { records throws(AccessFileError) in
      records.addCode(now: now) { UInt64.random(in: .min ... .max) }
    }
  }

  /// Returns the answer to a request of a client on the loopback interface.
  func answer(
    _ method: String = "GET", _ target: String, _ headers: [WebHeaders.Field] = [],
    body: String = "", peer: WebPeer = TestSite.loopback
  ) async -> WebResponse {
    var fields = headers
    if !headers.contains(where: { $0.name == "Host" }) { fields.append(("Host", "localhost:7397")) }
    return await site.answer(
      ReceivedRequest(
        method: method, target: target, headers: WebHeaders(fields), body: Array(body.utf8),
        peer: peer, port: 7397))
  }

  static let loopback = WebPeer.address(IPAddress(bytes: [127, 0, 0, 1])!)
  static let noDaemon: WebControl.Send = { (_, _) async throws(ControlError) in
    throw ControlError(.noDaemon, "no daemon listens at /nowhere")
  }
}

/// The current time in a test, which only the test changes.
final class SharedTime: Sendable {
  private let state = Mutex(TestSite.start)
  var now: Timestamp { state.withLock { $0 } }
  func advance(_ duration: Duration) { state.withLock { $0 = $0 + duration } }
}

/// Random words that are the same in every run.
final class SeededWords: Sendable {
  private let state = Mutex<UInt64>(1)

  func next() -> UInt64 {
    state.withLock { word in
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return word
    }
  }
}

extension WebResponse {
  var text: String { String(decoding: bytes ?? [], as: UTF8.self) }
  var value: Value { (try? JSONReader.decode(bytes ?? [])) ?? .null }
  /// The last part of a problem's type.
  var word: String? {
    value["type"]?.stringValue?.split(separator: ":").last.map(String.init)
  }
}
