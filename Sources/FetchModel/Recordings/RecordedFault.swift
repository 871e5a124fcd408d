/// Why a request had no answer, as a case orders it. The words are those of `case.yaml`.
package enum RecordedFault: String, CaseIterable, Sendable {
  /// No whole answer within the request's time.
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
  /// The name leads to an address that the job may not connect to.
  case privateAddress = "private-address"
  case notHTTP = "not-http"
  case headersTooLong = "headers-too-long"
  case unclearLength = "unclear-length"
  case bodyTooBig = "body-too-big"
  case compressedTooMuch = "compressed-too-much"
  case damagedBody = "damaged-body"
  case unknownCoding = "unknown-coding"
  /// A `file:` address that may not or cannot be read.
  case file

  /// What stands in the message where a case gives no `detail`.
  package var usualDetail: String? {
    switch self {
    case .refused: "connection refused"
    case .proxy: "it refuses"
    case .tls: "its certificate has expired"
    case .privateAddress: "10.0.0.1"
    case .damagedBody: "gzip"
    case .unknownCoding: "compress"
    case .file: "connection: there is no such file"
    default: nil
    }
  }

  /// For the page on tests.
  package var summary: String {
    switch self {
    case .timeout: "no whole answer within the request's time"
    case .connectTimeout: "no connection within 10 s"
    case .tooSlow: "less than 100 bytes a second"
    case .refused: "no connection; `detail` says why, `connection refused` unless said"
    case .closed: "the connection ended without an answer"
    case .cut: "the connection ended in the middle of the answer"
    case .offline: "this machine has no network"
    case .unknownHost: "the hostname cannot be resolved"
    case .unknownProxy: "the proxy's name cannot be resolved"
    case .proxy: "the proxy cannot be reached, or refuses; `detail` says why"
    case .tls: "no secure connection; `detail` says why, `its certificate has expired` unless said"
    case .privateAddress: "the name leads to the private address in `detail`"
    case .notHTTP: "the server speaks something else"
    case .headersTooLong: "the answer's headers are too long"
    case .unclearLength: "the answer names two lengths of its body, or none that can be read"
    case .bodyTooBig: "the body is larger than the limit"
    case .compressedTooMuch: "the body is a bomb"
    case .damagedBody: "the body cannot be decoded; `detail` is the coding"
    case .unknownCoding: "the body's coding, in `detail`, is not known"
    case .file: "a `file:` address cannot be read; `detail` is a code and a message"
    }
  }
}
