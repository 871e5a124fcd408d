import FetchValues

/// A server's answer after redirects, decompression and the check of limits. An answer may have any
/// status.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: Int
  /// The headers with lower-case names, in the order received. After redirects, these are the
  /// headers of the last answer.
  package var headers: [HTTPField] = []
  package var body: [UInt8] = []
  /// The address from which the answer came, after redirects.
  package var url: String
  /// The address to which the permanent redirects (301, 308) at the start of the redirect chain
  /// led. It is nil if the chain does not begin with a permanent redirect. Later requests should
  /// use this address.
  package var movedTo: String?
  /// Whether the answer is a 304 to a request that the host made conditional. The body then equals
  /// the previous body.
  package var notModified = false
  /// Whether the body equals, byte for byte, the body of the last full answer for this job and URL.
  /// Always false if `HTTPRequest.conditional` is false.
  package var sameBody = false
  /// The number of bytes received for this answer, including redirects and a retry.
  package var receivedBytes = 0
  /// The number of requests sent for this answer, including redirects and a retry.
  package var requestCount = 1

  package init(status: Int, url: String) {
    self.status = status
    self.url = url
  }

  /// Returns the first value of the header with the given name. The case of the name does not
  /// matter.
  package func header(_ name: String) -> String? {
    let wanted = name.asciiLowercased
    return headers.first { $0.name == wanted }?.value
  }
}
