package import FetchValues

/// A server's `Retry-After`: the time until which the server accepts no requests.
package struct RetryAfterNote: Sendable, Equatable {
  package var origin: String
  package var hostname: String
  package var status: Int
  package var until: Timestamp

  package init(origin: String, hostname: String, status: Int, until: Timestamp) {
    self.origin = origin
    self.hostname = hostname
    self.status = status
    self.until = until
  }
}
