/// The reason why a request had no answer, in the words of `case.yaml`.
package enum RecordedFault: String, CaseIterable, Sendable {
  /// No complete answer within the request's time.
  case timeout
  case connectTimeout = "connect-timeout"
  case tooSlow = "too-slow"
  case refused
  /// The connection ended before an answer began.
  case closed
  /// The connection ended in the middle of the answer.
  case cut
  /// This machine has no network.
  case offline
  case unknownHost = "unknown-host"
  case unknownProxy = "unknown-proxy"
  case proxy
  case tls
  /// The name resolves to an address that the job may not connect to.
  case privateAddress = "private-address"
  case notHTTP = "not-http"
  case headersTooLong = "headers-too-long"
  case unclearLength = "unclear-length"
  case bodyTooBig = "body-too-big"
  case compressedTooMuch = "compressed-too-much"
  case damagedBody = "damaged-body"
  case unknownCoding = "unknown-coding"
  /// A `file:` address that must not or cannot be read.
  case file

  /// The default `detail` in the message.
  package var usualDetail: String? {
    switch self {
    case .refused: "connection refused"
    case .proxy: "it refused the connection"
    case .tls: "its certificate has expired"
    case .privateAddress: "10.0.0.1"
    case .damagedBody: "gzip"
    case .unknownCoding: "compress"
    case .file: "connection: there is no such file"
    default: nil
    }
  }

  /// The text for the reference page.
  package var summary: String {
    switch self {
    case .timeout: "no whole answer within the request's time"
    case .connectTimeout: "no connection within 10 s"
    case .tooSlow: "fewer than 100 bytes a second"
    case .refused: "no connection; `detail` says why, default `connection refused`"
    case .closed: "the connection ended without an answer"
    case .cut: "the connection ended in the middle of the answer"
    case .offline: "this machine has no network"
    case .unknownHost: "the hostname cannot be resolved"
    case .unknownProxy: "the proxy's name cannot be resolved"
    case .proxy: "the proxy cannot be reached or refuses; `detail` says why"
    case .tls: "no secure connection; `detail` says why, default `its certificate has expired`"
    case .privateAddress: "the name resolves to the private address in `detail`"
    case .notHTTP: "the server does not speak HTTP"
    case .headersTooLong: "the answer's headers are too long"
    case .unclearLength: "the answer has two lengths of its body, or an invalid one"
    case .bodyTooBig: "the body is larger than the limit"
    case .compressedTooMuch: "the compressed body is a bomb"
    case .damagedBody: "the body cannot be decoded; `detail` is the coding"
    case .unknownCoding: "the body's coding, in `detail`, is unknown"
    case .file: "a `file:` address cannot be read; `detail` is a code and a message"
    }
  }
}
