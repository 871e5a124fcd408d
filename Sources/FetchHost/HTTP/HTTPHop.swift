package import FetchModel
package import FetchValues

/// One complete request to one server or for one granted file, with its limits of time and size.
/// The engine follows no redirect. Only libcurl itself may repeat a request, if a kept connection
/// turns out to be closed.
package struct HTTPHop: Sendable {
  package var method = "GET"
  package var target: TargetURL
  /// All headers except the headers that libcurl itself writes (Host, Content-Length).
  package var headers: [HTTPField] = []
  package var body: [UInt8]?
  /// The private addresses to which the hop may connect.
  package var privateAddresses = PrivateAddresses.none
  /// The proxy; nil for none. Its address is not checked because the user chose it. The proxy
  /// itself must check the addresses to which it connects.
  package var proxy: HTTPProxy?
  /// The path of a PEM bundle that replaces the system's certificates; nil to use the system's
  /// certificates.
  package var caFile: String?
  package var verifiesTLS = true
  /// The time limit of name look-up, TCP connection and TLS handshake together.
  package var connectTimeout: Duration = .seconds(10)
  /// The time when the whole request must have ended, including the wait for a free place in the
  /// engine.
  package var deadline: ContinuousClock.Instant
  package var lowSpeed = LowSpeedCut()
  /// The maximum size of the body in bytes, both before and after decoding.
  package var bodyBytesMax = RunLimits().bodyBytes
  package var decompressionRatioMax = RunLimits().decompressionRatio
  /// The receiver of the body as it arrives, undecoded and without a size limit. If there is no
  /// sink, the body becomes part of the answer.
  package var sink: (any BodySink)?
  /// The paths that a request for a `file:` address may read; see `Grant.readPaths`.
  package var readPaths: [String] = []
  /// The time of the request, which is compared with the modification time of a file.
  package var now = Timestamp(milliseconds: 0)
  /// Whether another request to the hostname is likely soon. If the value is false and requests are
  /// too frequent, the engine closes the connection after the hop: see `ConnectionPressure`.
  package var isFollowed = true
  /// Whether the hop requests an access token. fetchrun makes such requests itself, and plugins do
  /// not see them.
  package var asksForToken = false
  /// Whether the request contains an access token that was obtained for an earlier request. After a
  /// 401, fetchrun requests a new token and repeats the request. The plugin then does not receive
  /// the 401. The host does not repeat the request if an overlapping request has already reported
  /// the old token.
  package var hasOldToken = false
  /// The redactor for the secrets in this hop. `ReplayedAnswers` looks up the hop without the
  /// values of secrets.
  package var redactor = Redactor()

  package init(target: TargetURL, deadline: ContinuousClock.Instant) {
    self.target = target
    self.deadline = deadline
  }

  /// Returns the value of a header. The case of the name does not matter.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.hasSameLetters(as: name) }?.value
  }
}

/// The minimum speed of an answer. A hop whose answer is slower for `period` is stopped.
package struct LowSpeedCut: Sendable, Equatable {
  package var bytesPerSecondMin = 100
  /// The time for which an answer may be too slow, including the time before its first byte.
  package var period: Duration = .seconds(20)

  package init() {}
}

/// The result of one hop, with the number of bytes that the hop received.
package struct HTTPHopEnd: Sendable {
  package var result: Result<HTTPHopAnswer, HTTPFault>
  /// The number of bytes received. `HTTPEngine` counts a server's headers, and its bodies before
  /// decoding. It does not count the bytes of a local file.
  package var receivedBytes = 0

  package init(_ result: Result<HTTPHopAnswer, HTTPFault>, receivedBytes: Int = 0) {
    self.result = result
    self.receivedBytes = receivedBytes
  }
}

/// An answer with its decoded body. If the hop has a sink, the body in an answer of `HTTPEngine` is
/// empty.
package struct HTTPHopAnswer: Sendable {
  package var status: Int
  /// The header fields in the order received, with names in lower case.
  package var headers: [HTTPField]
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The facts about one answer of a run, for scheduling and for the run's record.
package struct HTTPFact: Sendable, Equatable {
  package var method: String
  /// The address of the answer, after redirects.
  package var url: String
  package var hostname: String
  /// The hostname of the request, before redirects.
  package var askedHostname: String
  package var status: Int
  package var notModified: Bool
  package var sameBody: Bool
  /// The remaining time for which the answer may be cached; nil if the server forbids caching or
  /// gives neither `max-age` nor a valid `Expires`.
  package var cacheLifetime: Duration?
  /// The time when the body last changed, according to the server; nil if the server gives no
  /// usable time (see `ModifiedTime`).
  package var modifiedAt: Timestamp?
  /// The addresses of the WebSub hub and of the source itself, from the header fields `Link` of a
  /// full answer to a GET request.
  package var links = HubLinks()
  /// The address to use for later requests: the requested address, or the address to which the
  /// permanent redirects before any other redirect led. Empty unless a GET request received a full
  /// answer.
  package var lastingURL = ""
  package var receivedBytes: Int
  package var requestCount: Int
}

extension HTTPFact {
  package var answerFact: AnswerFact {
    if notModified { return .notModified }
    guard (200..<300).contains(status) else { return .error }
    return sameBody ? .sameBody : .full
  }

  /// Creates the fact of a GET request from an address, a hostname and a status. All other facts
  /// get default values.
  package init(url: String, hostname: String, status: Int) {
    self.init(
      method: "GET", url: url, hostname: hostname, askedHostname: hostname, status: status,
      notModified: false, sameBody: false, cacheLifetime: nil, receivedBytes: 0, requestCount: 1)
  }
}
