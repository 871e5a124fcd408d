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
}
