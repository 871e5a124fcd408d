package import FetchValues

/// A server's request for no requests until a time.
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
