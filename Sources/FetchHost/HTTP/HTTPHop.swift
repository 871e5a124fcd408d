package import FetchModel
package import FetchValues

/// One complete request to one server: what the engine sends, and the limits of time and size. The
/// engine follows no redirect and repeats no request.
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
  /// The path of a PEM bundle that replaces the system's certificates; nil for the system's.
  package var caFile: String?
  package var verifiesTLS = true
  /// The time limit of name look-up, TCP connection and TLS handshake together.
  package var connectTimeout: Duration = .seconds(10)
  /// The time when the whole request must have ended, including the wait for a free place in the
  /// engine.
  package var deadline: ContinuousClock.Instant
  package var lowSpeed = LowSpeedCut()
  /// The maximum size of the body, both before and after decoding.
  package var bodyBytesMax = RunLimits().bodyBytes
  package var decompressionRatioMax = RunLimits().decompressionRatio
  /// The receiver of the body as it arrives, undecoded and without a size limit. If there is no
  /// sink, the body becomes part of the answer.
  package var sink: (any BodySink)?
  /// The paths that a request for a `file:` address may read; see `Grant.readPaths`.
  package var readPaths: [String] = []
  /// The time of the request, which is compared with the modification time of a file.
  package var now = Timestamp(milliseconds: 0)
  /// Whether another request to the hostname is likely soon. While requests are frequent, the
  /// engine keeps only the connections of hops after which another request is likely.
  package var isFollowed = true
  /// Whether the hop requests an access token. The host makes such requests itself and hides them
  /// from plugins.
  package var asksForToken = false
  /// Whether the request contains an access token of an earlier run. After a 401 the host repeats
  /// the request with a new token, and the plugin receives only the second answer.
  package var hasOldToken = false
  /// The redactor that removes secrets from the record of this hop and its answer.
  package var redactor = Redactor()

  package init(target: TargetURL, deadline: ContinuousClock.Instant) {
    self.target = target
    self.deadline = deadline
  }

  /// Returns the value of a header; the case of its name does not matter.
  package func header(_ name: String) -> String? {
    let name = name.asciiLowercased
    return headers.first { $0.name.asciiLowercased == name }?.value
  }
}

/// The minimum speed of an answer. A hop whose answer arrives more slowly than this for `period` is
/// stopped, because it occupies a connection and a run.
package struct LowSpeedCut: Sendable, Equatable {
  package var bytesPerSecondMin = 100
  /// The time for which an answer may be too slow, including the time before its first byte.
  package var period: Duration = .seconds(20)

  package init() {}
}
