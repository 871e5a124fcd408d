package import FetchModel

/// How requests are made, as the user has set it for a job or for all.
package struct HTTPPolicy: Sendable {
  /// Says who fetches and where to complain, as polite robots do.
  package var userAgent: String
  package var connectTimeout: Duration = .seconds(10)
  /// For one request with its redirects and its retry, unless the request says less or more; the
  /// run's window bounds it.
  package var totalTimeout: Duration = .seconds(30)
  package var lowSpeed = LowSpeedCut()
  package var redirectsMax = 10
  package var proxy = ProxySettings()
  /// A PEM bundle in place of the system's.
  package var caFile: String?
  package var verifiesTLS = true
  /// Before the one retry; a server that is restarting needs a moment.
  package var retryDelay: Duration = .milliseconds(500)

  /// Whose turn it is at a hostname; nil lets every request go at once.
  package var lanes: RequestLanes?

  /// Asked before each request and each redirect to another hostname, and told of each Retry-After;
  /// nil where whoever starts the requests minds that.
  package var cooldowns: (any Cooldowns)?

  package init(version: String) {
    userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
  }
}
