import FetchHost
import FetchSchedule
import FetchValues

/// The costs of a hook file's calls, and the cooldowns that servers requested of these calls.
struct HookUsage: Sendable {
  var requestCount = 0
  var receivedBytes = 0
  var cpu = Duration.zero
  var retryAfters: [RetryAfterNote] = []

  var cost: RunCost {
    RunCost(
      requests: Double(requestCount), bytes: Double(receivedBytes),
      cpuMilliseconds: Double(cpu.wholeMicroseconds) / 1000)
  }

  static func += (left: inout HookUsage, right: HookUsage) {
    left.requestCount += right.requestCount
    left.receivedBytes += right.receivedBytes
    left.cpu += right.cpu
    left.retryAfters += right.retryAfters
  }
}

extension HookUsage {
  init(_ session: HTTPSession) {
    requestCount = session.requestCount
    receivedBytes = session.receivedBytes
    retryAfters = session.retryAfters
  }
}
