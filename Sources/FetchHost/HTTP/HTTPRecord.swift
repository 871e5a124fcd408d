import FetchModel
import FetchValues

/// What a session remembers while its run goes on.
struct HTTPRecord {
  var jar = CookieJar()
  var validators: [String: Validators] = [:]
  var retryAfters: [RetryAfterNote] = []
  /// Requests that got no answer.
  var unansweredCount = 0
  var facts: [HTTPFact] = []
  var hostsReached: [String] = []
  var requestCount = 0
  var receivedBytes = 0
  /// The latest time until which a request that was not made is to wait.
  var postponedUntil: Timestamp?

  mutating func postpone(until: Timestamp) { postponedUntil = max(postponedUntil ?? until, until) }

  mutating func countRequest(to hostname: String) {
    requestCount += 1
    if !hostsReached.contains(hostname) { hostsReached.append(hostname) }
  }

  /// What requests beside those of the plugin have cost.
  mutating func add(_ other: HTTPRecord) {
    requestCount += other.requestCount
    receivedBytes += other.receivedBytes
    retryAfters += other.retryAfters
    hostsReached += other.hostsReached.filter { !hostsReached.contains($0) }
  }
}
