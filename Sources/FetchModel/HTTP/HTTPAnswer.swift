import FetchValues

/// What a server answered, after redirects, decompression and limits. Any status is an answer.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: Int
  /// Lower-case names, in the order received; of a redirect chain the last answer's.
  package var headers: [HTTPField] = []
  package var body: [UInt8] = []
  /// The address the answer came from, after redirects.
  package var url: String
  /// The address to use from now on: where the leading permanent redirects (301, 308) led.
  package var movedTo: String?
  /// 304 to a conditional request that the host made: the body is that of last time.
  package var notModified = false
  /// The body is byte for byte that of the last 200 for this job and URL.
  package var sameBody = false
  /// Bytes received on the wire for this answer, redirects and a retry included.
  package var receivedBytes = 0
  /// Requests sent, redirects and a retry included.
  package var requestCount = 1

  package init(status: Int, url: String) {
    self.status = status
    self.url = url
  }

  /// The first value of that header, whatever the name's case.
  package func header(_ name: String) -> String? {
    let wanted = name.asciiLowercased
    return headers.first { $0.name == wanted }?.value
  }
}
