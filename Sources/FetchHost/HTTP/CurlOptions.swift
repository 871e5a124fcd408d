import CHost
import FetchModel
import FetchValues
import Glibc

/// The settings of libcurl for one hop.
enum CurlOptions {
  /// The path of the system's certificate bundle on Debian and its descendants, Fedora or Alpine;
  /// nil if none can be read.
  static let caBundle: String? = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ].first { access($0, R_OK) == 0 }

  static func apply(
    _ hop: HTTPHop, to easy: UnsafeMutableRawPointer, context: UnsafeMutableRawPointer
  ) {
    applyConstants(easy)
    applyCallbacks(easy, context)
    applyMethod(hop, easy)
    applyTimes(hop, easy)
    if hop.target.scheme == .https || hop.proxy != nil { applyTLS(hop, easy) }
    applyProxy(hop, easy)
    set(easy, CURLOPT_URL, hop.target.text)
    // Makes a request that may reuse a connection wait while another request opens one to the host.
    // Both can then use one HTTP/2 connection. Without TLS, libcurl uses no HTTP/2, so the setting
    // is off. If it were on, libcurl 7.88 would make the request wait for the end of the other
    // answer.
    _ = ccurl_set_long(easy, CURLOPT_PIPEWAIT, hop.target.scheme == .https ? 1 : 0)
    // The answer to a HEAD request states the length of a body that is not sent.
    if hop.sink == nil, hop.method != "HEAD" {
      _ = ccurl_set_size(easy, CURLOPT_MAXFILESIZE_LARGE, Int64(clamping: hop.bodyBytesMax))
    }
  }

  /// Sets an option to a text; nil for libcurl's default. libcurl copies the text.
  private static func set(
    _ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ text: String?
  ) {
    // An implicit conversion of the argument would allocate an array.
    guard let text else { return _ = ccurl_set_text(easy, option, nil) }
    text.withCString { _ = ccurl_set_text(easy, option, $0) }
  }

  private static func applyConstants(_ easy: UnsafeMutableRawPointer) {
    _ = ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    // The target is already normalised, and libcurl must send exactly the path that was checked.
    _ = ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    _ = ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    // Without this setting, one hostname without an answer from DNS can block the engine's thread
    // for 9 s (curl #8515, #9147).
    _ = ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    // Without this setting, libcurl searches its whole DNS cache after each transfer, which is
    // quadratic for thousands of hosts.
    _ = ccurl_set_long(easy, CURLOPT_DNS_CACHE_TIMEOUT, 0)
    _ = ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    _ = ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private static func applyCallbacks(
    _ easy: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer
  ) {
    _ = ccurl_set_pointer(easy, CURLOPT_PRIVATE, context)
    _ = ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    _ = ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    _ = ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
    _ = ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    _ = ccurl_set_bytes_function(easy, CURLOPT_WRITEFUNCTION, onBody)
    _ = ccurl_set_bytes_function(easy, CURLOPT_HEADERFUNCTION, onHeader)
    _ = ccurl_set_open_function(easy, onOpenSocket)
    // Checks the address once more. libcurl calls `onReady` before it sends each request, but
    // `onOpenSocket` only for new connections.
    _ = ccurl_set_ready_function(easy, onReady)
  }

  /// Whether libcurl sends a body, which may be empty.
  static func hasBody(_ hop: HTTPHop) -> Bool {
    hop.body != nil || HTTPMethod.expectsBody(hop.method)
  }

  private static func applyMethod(_ hop: HTTPHop, _ easy: UnsafeMutableRawPointer) {
    if hop.method == "HEAD" { _ = ccurl_set_long(easy, CURLOPT_NOBODY, 1) }
    if hasBody(hop) {
      let body = hop.body ?? []
      _ = ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
      body.withUnsafeBytes { bytes in
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        var none: CChar = 0
        withUnsafeMutablePointer(to: &none) {
          _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start ?? UnsafeMutableRawPointer($0))
        }
      }
    }
    // libcurl repeats a request by itself if a pooled connection turns out to be closed. A request
    // that must not be sent twice uses a new connection.
    let isRepeatable = HTTPMethod.isIdempotent(hop.method)
    _ = ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, isRepeatable ? 0 : 1)
    if hop.method != "GET", hop.method != "HEAD" || hop.body != nil {
      set(easy, CURLOPT_CUSTOMREQUEST, hop.method)
    }
  }

  private static func applyTimes(_ hop: HTTPHop, _ easy: UnsafeMutableRawPointer) {
    let left = ContinuousClock.now.duration(to: hop.deadline)
    let limit = Int(clamping: hop.connectTimeout.wholeMilliseconds)
    _ = ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, max(1, Int(clamping: left.wholeMilliseconds)))
    _ = ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, limit))
    _ = ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, hop.lowSpeed.bytesPerSecondMin)
    let period = Int(clamping: hop.lowSpeed.period.components.seconds)
    _ = ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, period))
  }

  private static func applyTLS(_ hop: HTTPHop, _ easy: UnsafeMutableRawPointer) {
    // Debian's libcurl has a default CApath. With a CApath, libcurl parses the bundle for each
    // handshake, which then takes 44 ms instead of 2.6 ms.
    _ = ccurl_set_text(easy, CURLOPT_CAPATH, nil)
    set(easy, CURLOPT_CAINFO, hop.caFile ?? caBundle)
    _ = ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, hop.verifiesTLS ? 1 : 0)
    _ = ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, hop.verifiesTLS ? 2 : 0)
  }

  private static func applyProxy(_ hop: HTTPHop, _ easy: UnsafeMutableRawPointer) {
    // An empty string prevents libcurl from using a proxy from the environment, which would bypass
    // the check of addresses.
    set(easy, CURLOPT_PROXY, hop.proxy?.text ?? "")
    guard let proxy = hop.proxy else { return }
    set(easy, CURLOPT_NOPROXY, "")
    set(easy, CURLOPT_PROXYUSERNAME, proxy.user)
    set(easy, CURLOPT_PROXYPASSWORD, proxy.password)
    // Keeps the headers of the hop out of a CONNECT request to the proxy, because they are for the
    // server.
    _ = ccurl_set_long(easy, CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    set(easy, CURLOPT_PROXY_CAINFO, hop.caFile ?? caBundle)
    _ = ccurl_set_text(easy, CURLOPT_PROXY_CAPATH, nil)
  }
}

private func transfer(_ context: UnsafeMutableRawPointer) -> EngineTransfer {
  Unmanaged<EngineTransfer>.fromOpaque(context).takeUnretainedValue()
}

/// A return value of callbacks that stops the transfer: any number other than the size of the data.
private let stopped = 0

private let onBody: ccurl_bytes_function = { bytes, one, count, context in
  guard let bytes, let context else { return stopped }
  let size = one &* count
  let isTaken = transfer(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size))
  return isTaken ? size : stopped
}

private let onHeader: ccurl_bytes_function = { bytes, one, count, context in
  guard let bytes, let context else { return stopped }
  let size = one &* count
  let isTaken = transfer(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: size))
  return isTaken ? size : stopped
}

private let onOpenSocket: ccurl_open_function = { context, _, address in
  guard let context, let address else { return CURL_SOCKET_BAD }
  let isAdmitted = transfer(context).admits(ipAddress(of: address))
  return isAdmitted ? ccurl_socket(address) : CURL_SOCKET_BAD
}

private func ipAddress(of address: UnsafePointer<curl_sockaddr>) -> IPAddress? {
  var bytes = [UInt8](repeating: 0, count: 16)
  let count = ccurl_address(address, &bytes)
  return IPAddress(bytes: Array(bytes.prefix(Int(count))))
}

private let onReady: ccurl_ready_function = { context, remote, _, _, _ in
  guard let context, let remote else { return Int32(CURL_PREREQFUNC_ABORT) }
  let isAdmitted = transfer(context).admits(IPAddress(String(cString: remote)))
  return Int32(isAdmitted ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
}

extension CurlOptions {
  static func transfer(of easy: UnsafeMutableRawPointer) -> EngineTransfer? {
    ccurl_context(easy).map { Unmanaged<EngineTransfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// libcurl, loaded once per process, by the first caller.
package enum CurlLibrary {
  /// The reason why libcurl cannot be used, as a message; nil if libcurl can be used.
  package static let problem: String? = ccurl_load().map { String(cString: $0) }

  /// The version of libcurl, such as "7.88.1"; nil if libcurl cannot be used.
  package static var version: String? {
    problem == nil ? String(cString: ccurl_version()) : nil
  }
}

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
    of result: CURLcode, easy: UnsafeMutableRawPointer, hop: HTTPHop, hasAnswer: Bool,
    isHeadComplete: Bool
  ) -> HTTPFault {
    if let why = tlsProblem(of: result, easy, hop) { return .tls(why) }
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: return .nameResolution
    case CURLE_COULDNT_RESOLVE_PROXY: return .proxyResolution
    case CURLE_COULDNT_CONNECT:
      return hop.proxy == nil ? .connect(systemError(easy)) : .proxy(systemError(easy))
    case CURLE_PROXY: return .proxy("the proxy did not open the connection")
    case CURLE_OPERATION_TIMEDOUT: return timeout(easy, hop)
    case CURLE_GOT_NOTHING: return .noAnswer
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      if isRefusedTunnel(easy, hop) { return .proxy("the proxy did not open the connection") }
      return hasAnswer ? .cut : .noAnswer
    case CURLE_FILESIZE_EXCEEDED: return .bodyTooBig(hop.bodyBytesMax)
    // libcurl 7.88 also returns this code for a header line above 100 KB.
    case CURLE_OUT_OF_MEMORY:
      return hasAnswer && !isHeadComplete
        ? .headersTooLong : .engine("no memory is left for the request")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return .notHTTP
    case CURLE_SSL_CACERT_BADFILE:
      return .caFile(hop.caFile ?? CurlOptions.caBundle ?? "of the system")
    default: return .engine("libcurl returned the error code \(result.rawValue)")
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

  /// Returns the reason why a secure connection failed; nil if the result is not a TLS error.
  static func tlsProblem(
    of result: CURLcode, _ easy: UnsafeMutableRawPointer, _ hop: HTTPHop? = nil
  ) -> String? {
    guard tls.contains(result.rawValue) else { return nil }
    // An https proxy that has not answered a CONNECT is the only peer of a TLS connection so far.
    let isProxy =
      hop?.proxy?.kind == .https && ccurl_info_long(easy, CURLINFO_HTTP_CONNECTCODE) == 0
    let owner = isProxy ? "the proxy's" : "its"
    let verify = ccurl_info_long(
      easy, isProxy ? CURLINFO_PROXY_SSL_VERIFYRESULT : CURLINFO_SSL_VERIFYRESULT)
    let problem: String? =
      switch verify {
      case 9: "is not yet valid"
      case 10: "has expired"
      case 18: "is self-signed"
      case 19, 20, 21, 2: "is not signed by a known authority"
      case 23: "is revoked"
      case 62: "is for another name"
      // libcurl itself compares the names, so OpenSSL reports no problem if they differ.
      case ...1: result == CURLE_PEER_FAILED_VERIFICATION ? "is for another name" : nil
      default:
        result == CURLE_PEER_FAILED_VERIFICATION
          ? "was refused (OpenSSL's verify result \(verify))" : nil
      }
    return problem.map { "\(owner) certificate \($0)" } ?? "the handshake failed"
  }
}
