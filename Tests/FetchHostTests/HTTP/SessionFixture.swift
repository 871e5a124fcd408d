import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues

/// A session over loopback. All requests are permitted unless a test changes the grant.
struct SessionFixture {
  static let engine = HTTPEngine()
  static let startAt = Timestamp(seconds: 1_795_000_000)

  var grant = Grant()
  var policy = HTTPPolicy(version: "1.0")
  var validators: [String: Validators] = [:]
  var window: Duration = .seconds(20)
  var waits = TurnWaits(max: .zero)
  var limits = RunLimits()
  var secrets: RunSecrets?
  var clock: any Clock<Duration> = ContinuousClock()
  var now = startAt

  init(hosts: [String] = ["*"], allowsPrivate: Bool = true) {
    grant.hosts = HostPattern.open(hosts)
    grant.privateAddresses = PrivateAddresses(allowsPrivate)
    policy.retryDelay = .milliseconds(1)
  }

  func session(over transport: any HTTPTransport = engine) -> HTTPSession {
    let now = now
    let known = Dictionary(uniqueKeysWithValues: validators.map { (ExactText($0), $1) })
    return HTTPSession(
      transport: transport, grant: grant, policy: policy, validators: known,
      deadline: .now + window, waits: waits, limits: limits, secrets: secrets, clock: clock,
      now: { now })
  }

  func get(_ url: String) async -> Result<HTTPAnswer, Failure> {
    await session().send(HTTPRequest(url: url))
  }
}

extension Result where Failure == FetchModel.Failure {
  var failure: FetchModel.Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension HTTPAnswer {
  var text: String { String(decoding: body, as: UTF8.self) }
}
