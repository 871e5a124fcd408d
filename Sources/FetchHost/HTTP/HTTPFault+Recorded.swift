import FetchModel

extension HTTPFault {
  /// Creates the fault that a test case specifies, with the limits of the given request.
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
    IPAddress(address).map { .refusedAddress($0) } ?? .engine("'\(address)' is not an IP address")
  }

  /// The form of the fault in a recording. Nil if this machine caused the fault, because a replay
  /// should not repeat such a fault.
  var recorded: (fault: RecordedFault, detail: String?)? {
    switch self {
    // The request was stopped because its time or the run's window had ended.
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
  /// without a known code becomes a failure of the connection, like that of a missing file.
  fileprivate init(recorded detail: String) {
    let parts = detail.split(separator: ":", maxSplits: 1)
    let code = parts.first.flatMap { FailureCode(rawValue: String($0)) }
    let message = parts.count == 2 && code != nil ? parts[1].drop { $0 == " " } : detail[...]
    self.init(code ?? .connection, String(message))
  }
}
