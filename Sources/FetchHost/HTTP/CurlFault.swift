import CHost
import Glibc

/// The meanings of libcurl's result codes.
enum CurlFault {
  private static let tls: Set<UInt32> = Set(
    [
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
      CURLE_SSL_SHUTDOWN_FAILED,
    ].map(\.rawValue))

  static func fault(
    of result: CURLcode, easy: UnsafeMutableRawPointer, hop: HTTPHop, hasAnswer: Bool
  ) -> HTTPFault {
    if let why = tlsProblem(of: result, easy) { return .tls(why) }
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: return .nameResolution
    case CURLE_COULDNT_RESOLVE_PROXY: return .proxyResolution
    case CURLE_COULDNT_CONNECT:
      return hop.proxy == nil ? .connect(systemError(easy)) : .proxy(systemError(easy))
    case CURLE_PROXY: return .proxy("it refused the connection")
    case CURLE_OPERATION_TIMEDOUT: return timeout(easy, hop)
    case CURLE_GOT_NOTHING: return .noAnswer
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      if isRefusedTunnel(easy, hop) { return .proxy("it refused the connection") }
      return hasAnswer ? .cut : .noAnswer
    case CURLE_FILESIZE_EXCEEDED: return .bodyTooBig(hop.bodyBytesMax)
    case CURLE_OUT_OF_MEMORY: return .headersTooLong  // returned for a header line above 100 KB
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return .notHTTP
    case CURLE_SSL_CACERT_BADFILE:
      return .caFile(hop.caFile ?? CurlOptions.caBundle ?? "of the system")
    default: return .engine("libcurl ended with code \(result.rawValue)")
    }
  }

  private static func timeout(_ easy: UnsafeMutableRawPointer, _ hop: HTTPHop) -> HTTPFault {
    if ContinuousClock.now >= hop.deadline - .milliseconds(20) { return .totalTimeout }
    let isConnected = ccurl_info_size(easy, CURLINFO_PRETRANSFER_TIME_T) > 0
    return isConnected ? .tooSlow(hop.lowSpeed) : .connectTimeout(hop.connectTimeout)
  }

  private static func isRefusedTunnel(_ easy: UnsafeMutableRawPointer, _ hop: HTTPHop) -> Bool {
    hop.proxy != nil && ccurl_info_long(easy, CURLINFO_HTTP_CONNECTCODE) >= 300
  }

  private static func systemError(_ easy: UnsafeMutableRawPointer) -> String {
    switch Int32(truncatingIfNeeded: ccurl_info_long(easy, CURLINFO_OS_ERRNO)) {
    case ECONNREFUSED: "connection refused"
    case ENETUNREACH: "network unreachable"
    case EHOSTUNREACH: "host unreachable"
    case ETIMEDOUT: "connection timed out"
    case EMFILE, ENFILE: "too many open files"
    case ECONNRESET: "connection reset"
    default: "no connection"
    }
  }

  /// Returns why a secure connection failed, with OpenSSL's reasons in the terms of X.509 (RFC
  /// 5280). Returns nil if the result is not a TLS error.
  static func tlsProblem(of result: CURLcode, _ easy: UnsafeMutableRawPointer) -> String? {
    guard tls.contains(result.rawValue) else { return nil }
    let proxyVerify = ccurl_info_long(easy, CURLINFO_PROXY_SSL_VERIFYRESULT)
    let owner = proxyVerify == 0 ? "its" : "the proxy's"
    let verify =
      proxyVerify == 0 ? ccurl_info_long(easy, CURLINFO_SSL_VERIFYRESULT) : proxyVerify
    let problem: String? =
      switch verify {
      case 9: "is not yet valid"
      case 10: "has expired"
      case 18: "is self-signed"
      case 19, 20, 21, 2: "is not signed by a known authority"
      case 23: "is revoked"
      case 62: "is for another name"
      default: result == CURLE_PEER_FAILED_VERIFICATION ? "is for another name" : nil
      }
    return problem.map { "\(owner) certificate \($0)" } ?? "the handshake failed"
  }
}
