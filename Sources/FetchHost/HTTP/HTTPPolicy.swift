package import FetchModel

/// The user's settings for the requests of one job or of all jobs.
package struct HTTPPolicy: Sendable {
  /// The `User-Agent`: the program's name and an address for complaints.
  package var userAgent: String
  package var connectTimeout: Duration = .seconds(10)
  /// The time limit of one request with its redirects and its retry, unless the request sets
  /// another. A request also ends when the run's window ends.
  package var totalTimeout: Duration = .seconds(30)
  package var lowSpeed = LowSpeedCut()
  package var redirectsMax = 10
  package var proxy = ProxySettings()
  /// The path of a PEM bundle that replaces the system's certificates; nil for the system's.
  package var caFile: String?
  package var verifiesTLS = true
  /// The delay before the single retry, because a server that is restarting needs a moment.
  package var retryDelay: Duration = .milliseconds(500)

  /// Whether caches on the way must ask the source, since a hub has reported news that they did not
  /// have (w3c/websub, issue 84).
  package var asksFresh = false

  /// The queues of requests by hostname; if nil, every request is sent immediately.
  package var lanes: RequestLanes?

  /// The pauses of hostnames. The pauses are checked before each request and each redirect to
  /// another hostname, and each `Retry-After` is added to them. Nil if the caller handles pauses.
  package var cooldowns: (any Cooldowns)?

  package init(version: String) {
    userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
  }
}
