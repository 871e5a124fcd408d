import FetchValues

/// A server's answer after redirects, decompression and limits. Any status is an answer.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: Int
  /// The headers with lower-case names, in the order received; of the last answer of a redirect
  /// chain.
  package var headers: [HTTPField] = []
  package var body: [UInt8] = []
  /// The address of the answer, after redirects.
  package var url: String
  /// The address for later requests: the target of the leading permanent redirects (301, 308).
  package var movedTo: String?
  /// Whether it is a 304 to the host's own conditional request: the body equals the previous one.
  package var notModified = false
  /// Whether the body equals, byte for byte, the last 200 for this job and URL.
  package var sameBody = false
  /// The bytes received for this answer, including redirects and a retry.
  package var receivedBytes = 0
  /// The requests sent, including redirects and a retry.
  package var requestCount = 1

  package init(status: Int, url: String) {
    self.status = status
    self.url = url
  }

  /// Returns the first value of that header; ignores the case of its name.
  package func header(_ name: String) -> String? {
    let wanted = name.asciiLowercased
    return headers.first { $0.name == wanted }?.value
  }
}
