package import FetchModel
package import FetchValues

/// One request to one server with everything decided: what the engine sends, and the limits of time
/// and size. It follows no redirect and repeats nothing.
package struct HTTPHop: Sendable {
  package var method = "GET"
  package var target: TargetURL
  /// Every header except those that libcurl itself writes (Host, Content-Length).
  package var headers: [HTTPField] = []
  package var body: [UInt8]?
  /// The addresses that are allowed although they are not globally routable.
  package var privateAddresses = PrivateAddresses.none
  /// The proxy. Its address is not checked: the user chose it, and it must check its own
  /// connections.
  package var proxy: HTTPProxy?
  /// A PEM bundle in place of the system's.
  package var caFile: String?
  package var verifiesTLS = true
  /// The limit of look-up, TCP and TLS together.
  package var connectTimeout: Duration = .seconds(10)
  /// The end of the whole request, with the wait for a free place in the engine.
  package var deadline: ContinuousClock.Instant
  package var lowSpeed = LowSpeedCut()
  /// The limit of the body, before and after decoding.
  package var bodyBytesMax = RunLimits().bodyBytes
  package var decompressionRatioMax = RunLimits().decompressionRatio
  /// The receiver of the body as it arrives, undecoded and without a limit; nil keeps it for the
  /// answer.
  package var sink: (any BodySink)?
  /// The paths that a `file:` address may read, see `Grant.readPaths`.
  package var readPaths: [String] = []
  /// The time of the request, from which a file's age is computed.
  package var now = Timestamp(milliseconds: 0)
  /// Whether another request to the hostname is likely soon. Under many requests, a connection is
  /// kept only then.
  package var isFollowed = true
  /// Whether this requests an access token: the host's own business, hidden from plugins.
  package var asksForToken = false
  /// Whether it contains an access token of an earlier run. After a 401 it is sent again with
  /// another token, and the plugin never sees that answer.
  package var hasOldToken = false
  /// Removes the secrets from the record of this hop and its answer.
  package var redactor = Redactor()

  package init(target: TargetURL, deadline: ContinuousClock.Instant) {
    self.target = target
    self.deadline = deadline
  }

  /// Returns the value of a header, whatever its name's case.
  package func header(_ name: String) -> String? {
    let name = name.asciiLowercased
    return headers.first { $0.name.asciiLowercased == name }?.value
  }
}

/// The limit of slowness: a trickle below this speed for that time holds a connection and a run, so
/// it is cut.
package struct LowSpeedCut: Sendable, Equatable {
  package var bytesPerSecondMin = 100
  /// Includes the time before a server answers.
  package var period: Duration = .seconds(20)

  package init() {}
}
