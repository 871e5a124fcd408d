package import FetchModel
import FetchValues

/// Why there is no answer. `failure(for:)` says it to people.
package enum HTTPFault: Error, Equatable, Sendable {
  /// The address that was to be connected to is not allowed.
  case refusedAddress(IPAddress)
  case nameResolution
  case proxyResolution
  /// No connection: refused, unreachable. The system's word for it.
  case connect(String)
  /// This machine has no network besides itself.
  case offline
  case proxy(String)
  case tls(String)
  case connectTimeout(Duration)
  case totalTimeout
  case tooSlow(LowSpeedCut)
  /// The connection ended before an answer had begun.
  case noAnswer
  /// The connection ended in the middle of the answer.
  case cut
  case notHTTP
  case headersTooLong
  /// Two lengths of the body are named, or one that is no number.
  case unclearLength
  case bodyTooBig(Int)
  case decompressionRatio(Int)
  case damagedBody(String)
  case unknownCoding(String)
  case caFile(String)
  /// A file that may not or cannot be read, in the words for people.
  case file(Failure)
  case cancelled
  case engine(String)

  /// Whether the same request may well succeed at once: nothing, or not all, came back.
  package var isConnectionFault: Bool {
    switch self {
    case .connect, .proxy, .noAnswer, .cut: true
    default: false
    }
  }

  /// Whether a machine without a network would see the same.
  var mayBeOffline: Bool { isConnectionFault || self == .nameResolution }
}

extension HTTPFault {
  package func failure(for target: TargetURL, proxy: HTTPProxy? = nil) -> Failure {
    let place = target.authority
    return switch self {
    case .refusedAddress(let address):
      HostGate.refusal(of: target.hostname, at: address)
    case .nameResolution:
      Failure(
        .nameResolution, "the name \(target.hostname) cannot be resolved", retryable: true)
    case .proxyResolution:
      Failure(
        .nameResolution, "the name of the proxy \(proxy?.text ?? "") cannot be resolved",
        retryable: true)
    case .offline:
      Failure(
        .offline, "this machine has no network; \(place) was not reached", retryable: true)
    case .file(let failure): failure
    case .connect(let why):
      Failure(.connection, "cannot connect to \(place): \(why)", retryable: true)
    case .proxy(let why):
      Failure(
        .connection, "cannot reach \(place) through the proxy \(proxy?.text ?? ""): \(why)",
        retryable: true)
    case .tls(let why): Failure(.tls, "no secure connection to \(place): \(why)", retryable: true)
    case .caFile(let path):
      Failure(.tls, "the certificate bundle \(path) cannot be read or has no certificates in it")
    case .noAnswer:
      Failure(.connection, "\(place) closed the connection without an answer", retryable: true)
    case .cut:
      Failure(.connection, "the answer of \(place) was cut off", retryable: true)
    case .cancelled: Failure(.cancelled, "the request to \(place) was cancelled", retryable: true)
    case .engine(let why): Failure(.internalError, "no request can be made: \(why)")
    default: timeOrContentFailure(place)
    }
  }

  private func timeOrContentFailure(_ place: String) -> Failure {
    switch self {
    case .connectTimeout(let limit):
      Failure(
        .httpTimeout, "no connection to \(place) within \(Self.seconds(limit))", retryable: true)
    case .tooSlow(let cut):
      Failure(
        .httpTimeout,
        "\(place) sent less than \(cut.bytesPerSecondMin) bytes a second for "
          + Self.seconds(cut.period), retryable: true)
    case .notHTTP: Failure(.invalidResponse, "\(place) does not answer in HTTP", retryable: true)
    case .headersTooLong:
      Failure(.invalidResponse, "the headers of \(place) are too long", retryable: true)
    case .unclearLength:
      Failure(
        .invalidResponse,
        "the Content-Length of \(place) is not one number, so nobody knows where the answer ends",
        retryable: true)
    case .bodyTooBig(let limit):
      Failure(.bodyLimit, "the body from \(place) is larger than \(limit) bytes (limit: bodyBytes)")
    case .decompressionRatio(let limit):
      Failure(
        .bodyLimit,
        "the body from \(place) is compressed more than \(limit)-fold (limit: decompressionRatio)")
    case .damagedBody(let coding):
      Failure(
        .invalidResponse, "the \(coding) body from \(place) is cut off or damaged", retryable: true)
    case .unknownCoding(let coding):
      Failure(.invalidResponse, "\(place) sent a body coded in \(coding), which is not known here")
    default:
      Failure(.httpTimeout, "\(place) did not answer in full in time", retryable: true)
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
