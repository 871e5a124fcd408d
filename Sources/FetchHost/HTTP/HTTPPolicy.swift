package import FetchModel

/// The way requests are made, as the user has set it for one job or for all.
package struct HTTPPolicy: Sendable {
  /// Names the program and where to complain, as polite robots do.
  package var userAgent: String
  package var connectTimeout: Duration = .seconds(10)
  /// The time of one request with its redirects and its retry, unless the request sets its own. The
  /// run's window limits it.
  package var totalTimeout: Duration = .seconds(30)
  package var lowSpeed = LowSpeedCut()
  package var redirectsMax = 10
  package var proxy = ProxySettings()
  /// A PEM bundle in place of the system's.
  package var caFile: String?
  package var verifiesTLS = true
  /// The delay before the one retry; a server that is restarting needs a moment.
  package var retryDelay: Duration = .milliseconds(500)

  /// The turns at hostnames; nil lets every request go immediately.
  package var lanes: RequestLanes?

  /// The pauses of hostnames. Asked before each request and each redirect to another hostname, and
  /// notified of each Retry-After. Nil if the caller handles pauses.
  package var cooldowns: (any Cooldowns)?

  package init(version: String) {
    userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
  }
}
