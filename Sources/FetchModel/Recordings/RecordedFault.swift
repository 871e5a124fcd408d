/// The reason why a request had no valid answer. The raw values are those of `case.yaml`.
package enum RecordedFault: String, CaseIterable, Sendable {
  /// No complete answer arrived within the request's timeout.
  case timeout
  case connectTimeout = "connect-timeout"
  case tooSlow = "too-slow"
  case refused
  /// The connection ended before an answer began.
  case closed
  /// The connection ended in the middle of the answer.
  case cut
  /// The request failed because this machine has no network.
  case offline
  case unknownHost = "unknown-host"
  case unknownProxy = "unknown-proxy"
  case proxy
  case tls
  /// The hostname resolves to an address to which the job may not connect.
  case privateAddress = "private-address"
  case notHTTP = "not-http"
  case headersTooLong = "headers-too-long"
  case unclearLength = "unclear-length"
  case bodyTooBig = "body-too-big"
  case compressedTooMuch = "compressed-too-much"
  case damagedBody = "damaged-body"
  case unknownCoding = "unknown-coding"
  /// The job may not read a `file:` address, or the file cannot be read.
  case file

  /// The detail of a fault that is recorded without a detail; nil if the fault has no detail. The
  /// detail decides the failure's message.
  package var usualDetail: String? {
    switch self {
    case .refused: "connection refused"
    case .proxy: "the proxy refused the connection"
    case .tls: "its certificate has expired"
    case .privateAddress: "10.0.0.1"
    case .damagedBody: "gzip"
    case .unknownCoding: "compress"
    case .file: "connection: there is no such file"
    default: nil
    }
  }

  /// The description of the fault for the reference page.
  package var summary: String {
    switch self {
    case .timeout: "no complete answer within the request's timeout"
    case .connectTimeout: "no connection within 10 seconds"
    case .tooSlow: "fewer than 100 bytes arrived per second for 20 seconds"
    case .refused: "no connection; `detail` says why, default `connection refused`"
    case .closed: "the connection ended without an answer"
    case .cut: "the connection ended in the middle of the answer"
    case .offline: "this machine has no network"
    case .unknownHost: "the hostname cannot be resolved"
    case .unknownProxy: "the proxy's name cannot be resolved"
    case .proxy: "the proxy cannot be reached or refuses the connection; `detail` says why"
    case .tls: "no secure connection; `detail` says why, default `its certificate has expired`"
    case .privateAddress: "the name resolves to the private address in `detail`"
    case .notHTTP: "the server's answer is not HTTP"
    case .headersTooLong: "the answer's headers are too long"
    case .unclearLength: "the answer gives an invalid body length, or two different lengths"
    case .bodyTooBig: "the body is larger than the limit"
    case .compressedTooMuch: "the compressed body expands too much"
    case .damagedBody: "the body cannot be decoded; `detail` is the coding"
    case .unknownCoding: "the body has an unknown coding; `detail` is the coding"
    case .file: "a `file:` address cannot be read; `detail` is a code and a message"
    }
  }
}
