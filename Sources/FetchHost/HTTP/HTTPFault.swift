package import FetchModel
import FetchValues

/// The reason why a request has no complete answer. `failure` makes a message from it.
package enum HTTPFault: Error, Equatable, Sendable {
  /// The address of the connection is not allowed.
  case refusedAddress(IPAddress)
  case nameResolution
  case proxyResolution
  /// No connection could be made. The text is the reason, such as "connection refused".
  case connect(String)
  /// This machine is not connected to any network.
  case offline
  case proxy(String)
  case tls(String)
  case connectTimeout(Duration)
  case totalTimeout
  case tooSlow(LowSpeedCut)
  /// The exchange with the server ended before an answer began.
  case noAnswer
  /// The exchange with the server ended before the answer was complete.
  case cut
  case notHTTP
  case headersTooLong
  /// The answer gives several different lengths of the body, or a length that is not a number.
  case unclearLength
  case bodyTooBig(Int)
  case decompressionRatio(Int)
  case damagedBody(String)
  /// A coding that is not supported, or a list of more codings than are supported.
  case unknownCoding(String)
  case caFile(String)
  /// A request for a file failed, for example because the file is not granted.
  case file(Failure)
  case cancelled
  case engine(String)

  /// Whether a retry after a short delay may succeed, because the connection failed or ended before
  /// the answer was complete.
  package var isConnectionFault: Bool {
    switch self {
    case .connect, .proxy, .noAnswer, .cut: true
    default: false
    }
  }

  /// Whether a missing network connection of this machine could also be the cause of the fault.
  var mayBeOffline: Bool { isConnectionFault || self == .nameResolution }
}

extension HTTPFault {
  package func failure(
    for target: TargetURL, proxy: HTTPProxy? = nil, asksForToken: Bool = false
  ) -> Failure {
    let place = target.authority
    return switch self {
    case .refusedAddress(let address):
      HostGate.refusal(of: target.hostname, at: address)
    case .nameResolution:
      Failure(
        .nameResolution, "the name \(target.hostname) cannot be resolved", retryable: true)
    case .proxyResolution:
      Failure(
        .nameResolution,
        "the name of the proxy\(proxy.map { " " + $0.text } ?? "") cannot be resolved",
        retryable: true)
    case .offline:
      Failure(
        .offline, "this machine has no network; \(place) was not reached", retryable: true)
    case .file(let failure): failure
    case .connect(let why):
      Failure(.connection, "cannot connect to \(place): \(why)", retryable: true)
    case .proxy(let why):
      Failure(
        .connection,
        "cannot reach \(place) through the proxy\(proxy.map { " " + $0.text } ?? ""): \(why)",
        retryable: true)
    case .tls(let why): Failure(.tls, "no secure connection to \(place): \(why)", retryable: true)
    case .caFile(let path):
      Failure(.tls, "the certificate bundle \(path) cannot be read or contains no certificates")
    case .noAnswer:
      Failure(.connection, "the request to \(place) ended without an answer", retryable: true)
    case .cut:
      Failure(.connection, "the answer from \(place) was cut off", retryable: true)
    case .cancelled: Failure(.cancelled, "the request to \(place) was cancelled", retryable: true)
    case .bodyTooBig(let limit) where asksForToken:
      Failure(
        .bodyLimit,
        "the body from \(place) is larger than \(limit) bytes, the fixed limit for the answer of a"
          + " token server: check `token_url`")
    case .engine(let why):
      Failure(.internalError, "the request to \(place) failed: \(why)")
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
    case .notHTTP: Failure(.invalidResponse, "\(place) did not answer with HTTP", retryable: true)
    case .headersTooLong:
      Failure(.invalidResponse, "the headers from \(place) are too long", retryable: true)
    case .unclearLength:
      Failure(
        .invalidResponse,
        "the Content-Length from \(place) is not one number, so the end of the answer is unknown",
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
    case .unknownCoding(let codings) where codings.contains(","):
      Failure(
        .invalidResponse,
        "\(place) sent a body with more than \(BodyDecoder.codingsMax) codings: \(codings)")
    case .unknownCoding(let coding):
      Failure(.invalidResponse, "\(place) sent a body with an unsupported coding: \(coding)")
    default:
      Failure(.httpTimeout, "the answer from \(place) was not complete in time", retryable: true)
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}

extension HTTPFault {
  /// Creates the fault that a recording or a test case specifies, with the limits of the given
  /// request.
  init(_ fault: RecordedFault, detail: String?, of hop: HTTPHop) {
    let detail = detail ?? fault.usualDetail ?? ""
    self =
      switch fault {
      case .timeout: .totalTimeout
      case .connectTimeout: .connectTimeout(hop.connectTimeout)
      case .tooSlow: .tooSlow(hop.lowSpeed)
      case .refused: .connect(detail)
      case .closed: .noAnswer
      case .cut: .cut
      case .offline: .offline
      case .unknownHost: .nameResolution
      case .unknownProxy: .proxyResolution
      case .proxy: .proxy(detail)
      case .tls: .tls(detail)
      case .privateAddress: Self.refused(detail)
      case .notHTTP: .notHTTP
      case .headersTooLong: .headersTooLong
      case .unclearLength: .unclearLength
      case .bodyTooBig: .bodyTooBig(hop.bodyBytesMax)
      case .compressedTooMuch: .decompressionRatio(hop.decompressionRatioMax)
      case .damagedBody: .damagedBody(detail)
      case .unknownCoding: .unknownCoding(detail)
      case .file: .file(Failure(recorded: detail))
      }
  }

  private static func refused(_ address: String) -> HTTPFault {
    IPAddress(address).map { .refusedAddress($0) }
      ?? .engine("the detail of its fault, '\(address)', is not an IP address")
  }

  /// The form of the fault in a recording. Nil for `caFile` and `engine`, because a replay should
  /// not repeat these faults.
  var recorded: (fault: RecordedFault, detail: String?)? {
    switch self {
    // In both cases, the request was stopped before its answer was complete.
    case .totalTimeout, .cancelled: (.timeout, nil)
    case .connectTimeout: (.connectTimeout, nil)
    case .tooSlow: (.tooSlow, nil)
    case .connect(let why): (.refused, why)
    case .noAnswer: (.closed, nil)
    case .cut: (.cut, nil)
    case .offline: (.offline, nil)
    case .nameResolution: (.unknownHost, nil)
    case .proxyResolution: (.unknownProxy, nil)
    case .proxy(let why): (.proxy, why)
    case .tls(let why): (.tls, why)
    case .refusedAddress(let address): (.privateAddress, address.description)
    case .notHTTP: (.notHTTP, nil)
    case .headersTooLong: (.headersTooLong, nil)
    case .unclearLength: (.unclearLength, nil)
    case .bodyTooBig: (.bodyTooBig, nil)
    case .decompressionRatio: (.compressedTooMuch, nil)
    case .damagedBody(let coding): (.damagedBody, coding)
    case .unknownCoding(let coding): (.unknownCoding, coding)
    case .file(let failure): (.file, "\(failure.code.rawValue): \(failure.message)")
    case .caFile, .engine: nil
    }
  }
}

extension Failure {
  /// Creates a failure from its recorded text, such as `permission: the plugin may not …`. A text
  /// without a known code gets the code `connection`, which is also the code for a missing file.
  fileprivate init(recorded detail: String) {
    let parts = detail.split(separator: ":", maxSplits: 1)
    let code = parts.first.flatMap { FailureCode(rawValue: String($0)) }
    let message = parts.count == 2 && code != nil ? parts[1].drop { $0 == " " } : detail[...]
    self.init(code ?? .connection, String(message))
  }
}
