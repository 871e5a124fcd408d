package import FetchModel
package import FetchValues

/// One request to one server, all decided: what the engine sends, and how long and how much it
/// takes in return. It follows nothing and repeats nothing.
package struct HTTPHop: Sendable {
  package var method = "GET"
  package var target: TargetURL
  /// Everything that is sent besides what libcurl must write itself (Host, Content-Length).
  package var headers: [HTTPField] = []
  package var body: [UInt8]?
  /// Which addresses may be connected to that are not globally routable.
  package var privateAddresses = PrivateAddresses.none
  /// Whose address is not checked: it is the user's own choice, and where it connects to is its
  /// duty.
  package var proxy: HTTPProxy?
  /// A PEM bundle in place of the system's.
  package var caFile: String?
  package var verifiesTLS = true
  /// Look-up, TCP and TLS together.
  package var connectTimeout: Duration = .seconds(10)
  /// All of it, the wait for a free place in the engine included.
  package var deadline: ContinuousClock.Instant
  package var lowSpeed = LowSpeedCut()
  /// The body, before and after decoding.
  package var bodyBytesMax = RunLimits().bodyBytes
  package var decompressionRatioMax = RunLimits().decompressionRatio
  /// Where the body goes as it comes, undecoded and however long; nil keeps it for the answer.
  package var sink: (any BodySink)?
  /// What a `file:` address may read, see `Grant.readPaths`.
  package var readPaths: [String] = []
  /// The time of asking, which a file's age is counted from.
  package var now = Timestamp(milliseconds: 0)
  /// Whether another request to the hostname is likely to come soon. In a crowd a connection is kept
  /// for that alone.
  package var isFollowed = true
  /// Of a request for an access token: the host's own business, which plugins know nothing of.
  package var asksForToken = false
  /// An access token of an earlier run is in it: one that is answered 401 is sent again with another
  /// token, and nobody sees that answer.
  package var hasOldToken = false
  /// Takes the secrets out of what is written down of this hop and its answer.
  package var redactor = Redactor()

  package init(target: TargetURL, deadline: ContinuousClock.Instant) {
    self.target = target
    self.deadline = deadline
  }

  /// The value of a header, whatever its name's case.
  package func header(_ name: String) -> String? {
    let name = name.asciiLowercased
    return headers.first { $0.name.asciiLowercased == name }?.value
  }
}

/// A transfer slower than this for that long is cut: a drip holds a connection and a run.
package struct LowSpeedCut: Sendable, Equatable {
  package var bytesPerSecondMin = 100
  /// Counts a server's time to think, too.
  package var period: Duration = .seconds(20)

  package init() {}
}
