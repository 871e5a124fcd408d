import FetchHost
import FetchModel

/// What the requests of a hook file have cost, and which servers want to be left alone.
struct HookTraffic: Sendable {
  var requestCount = 0
  var receivedBytes = 0
  var retryAfters: [RetryAfterNote] = []

  var cost: RunCost { RunCost(requests: Double(requestCount), bytes: Double(receivedBytes)) }

  static func += (left: inout HookTraffic, right: HookTraffic) {
    left.requestCount += right.requestCount
    left.receivedBytes += right.receivedBytes
    left.retryAfters += right.retryAfters
  }
}

extension HookTraffic {
  init(_ session: HTTPSession) {
    requestCount = session.requestCount
    receivedBytes = session.receivedBytes
    retryAfters = session.retryAfters
  }
}
