import CHost
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// One exchange that sends a message to a mail server, on a thread that may block.
struct MailExchange {
  private let settings: EmailSettings
  private let policy: HTTPPolicy
  private let password: String?
  private let gate: MailGate
  private let isCancelled: CancelFlag

  init(
    _ settings: EmailSettings, policy: HTTPPolicy, password: String?, isCancelled: CancelFlag
  ) {
    self.settings = settings
    self.policy = policy
    self.password = password
    self.isCancelled = isCancelled
    gate = MailGate(settings.privateAddresses)
  }

  /// The part of the message that libcurl has not read yet.
  private final class Reading {
    var rest: ArraySlice<UInt8>
    init(_ bytes: [UInt8]) { rest = bytes[...] }
  }

  /// - Parameter report: receives the result before the connection is closed. A slow server can
  ///   delay the closing. If this process is killed during the delay, the next process must not
  ///   send the message again.
  func send(_ message: [UInt8], _ report: (DeliveryEnd) -> Void) {
    MailExchanges.begin()
    defer { MailExchanges.end() }
    guard let easy = ccurl_create() else {
      return report(.failed(DeliveryFailure("libcurl cannot start")))
    }
    defer { ccurl_destroy(easy) }
    var lines = CurlLines()
    for address in settings.to { lines.append("<\(address)>") }
    let receivers = lines.list
    let reading = Reading(message)
    apply(to: easy)
    _ = ccurl_set_list(easy, CURLOPT_MAIL_RCPT, receivers.first)
    _ = ccurl_set_pointer(
      easy, CURLOPT_READDATA, Unmanaged.passUnretained(reading).toOpaque())
    _ = ccurl_set_bytes_function(easy, CURLOPT_READFUNCTION) { bytes, one, count, context in
      guard let bytes, let context else { return 0 }
      let reading = Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
      let part = reading.rest.prefix(one * count)
      UnsafeMutableRawPointer(bytes).copyMemory(from: Array(part), byteCount: part.count)
      reading.rest = reading.rest.dropFirst(part.count)
      return part.count
    }
    let code = withExtendedLifetime((reading, receivers, gate, isCancelled)) {
      ccurl_perform(easy)
    }
    // A cancellation must not prevent the QUIT command after the mail was confirmed.
    _ = ccurl_set_long(easy, CURLOPT_NOPROGRESS, 1)
    report(end(code, easy))
  }

  private func apply(to easy: UnsafeMutableRawPointer) {
    _ = ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    _ = ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    _ = ccurl_set_text(easy, CURLOPT_URL, settings.server)
    _ = ccurl_set_text(easy, CURLOPT_MAIL_FROM, "<\(settings.from)>")
    _ = ccurl_set_long(easy, CURLOPT_UPLOAD, 1)
    _ = ccurl_set_long(
      easy, CURLOPT_TIMEOUT_MS, Int(clamping: settings.timeout.wholeMilliseconds))
    // `CURLOPT_TIMEOUT_MS` does not limit the QUIT command. Without the option below, libcurl 7.88
    // waits up to 2 minutes for the answer to QUIT.
    _ = ccurl_set_long(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.answerSecondsMax(settings))
    let level = settings.allowsPlain ? CURLUSESSL_TRY : CURLUSESSL_ALL
    _ = ccurl_set_long(easy, CURLOPT_USE_SSL, Int(level.rawValue))
    _ = ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, policy.verifiesTLS ? 1 : 0)
    _ = ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, policy.verifiesTLS ? 2 : 0)
    if let bundle = policy.caFile ?? CurlOptions.caBundle {
      _ = ccurl_set_text(easy, CURLOPT_CAINFO, bundle)
    }
    // Ignores a proxy in the environment, because mail is sent directly to its server.
    _ = ccurl_set_text(easy, CURLOPT_NOPROXY, "*")
    gate.apply(to: easy)
    _ = ccurl_set_progress_function(
      easy,
      { context, _, _, _, _ in
        guard let context else { return 0 }
        return Unmanaged<CancelFlag>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
      }, Unmanaged.passUnretained(isCancelled).toOpaque())
    if let user = settings.user { _ = ccurl_set_text(easy, CURLOPT_USERNAME, user) }
    if let password { _ = ccurl_set_text(easy, CURLOPT_PASSWORD, password) }
  }

  private static func answerSecondsMax(_ settings: EmailSettings) -> Int {
    max(1, Int(clamping: settings.timeout.components.seconds))
  }

  private func end(_ code: CURLcode, _ easy: UnsafeMutableRawPointer) -> DeliveryEnd {
    if code == CURLE_OK { return .delivered }
    if code == CURLE_COULDNT_CONNECT, let refusal = gate.refusal(of: settings.server) {
      return .failed(refusal)
    }
    let status = ccurl_info_long(easy, CURLINFO_RESPONSE_CODE)
    // RFC 5321, section 4.2.1: a reply 55z is a permanent refusal by the mail system. A refused
    // sign-in is excluded, because the user can correct the password.
    let isFinal = (550...559).contains(status) && code != CURLE_LOGIN_DENIED
    return .failed(
      DeliveryFailure(
        "the mail server \(settings.server) \(words(for: code, status, easy))",
        isRetryable: !isFinal))
  }

  private func words(
    for code: CURLcode, _ status: Int, _ easy: UnsafeMutableRawPointer
  ) -> String {
    switch code {
    case CURLE_LOGIN_DENIED: return "did not allow the sign-in with this user name and password"
    case CURLE_USE_SSL_FAILED:
      return "does not allow encryption; set `allow_plain` to send unencrypted mail"
    case CURLE_OPERATION_TIMEDOUT:
      return "did not confirm the mail within \(settings.timeout.shortText)"
    case CURLE_ABORTED_BY_CALLBACK:
      return "did not confirm the mail before the delivery was cancelled"
    case CURLE_SSL_CACERT_BADFILE:
      let file = policy.caFile ?? CurlOptions.caBundle ?? "of the system"
      return "cannot be checked: the certificate bundle \(file) cannot be read or contains no "
        + "certificates"
    default:
      if let why = CurlFault.tlsProblem(of: code, easy) {
        return "cannot be reached securely: \(why)"
      }
      if status >= 400 { return "answered \(status)" }
      let isReached = code != CURLE_COULDNT_RESOLVE_HOST && code != CURLE_COULDNT_CONNECT
      let words = String(cString: ccurl_words(code))
      return isReached ? "did not confirm the mail: \(words)" : "cannot be reached: \(words)"
    }
  }
}

/// The exchanges whose connections are not closed yet. The mail of some may have been delivered.
package enum MailExchanges {
  private static let openCount = Atomic<Int>(0)
  /// The longest wait for mail servers at the end of a process.
  package static let closingMax: Duration = .seconds(5)

  static func begin() { openCount.add(1, ordering: .relaxed) }
  static func end() { openCount.subtract(1, ordering: .releasing) }

  /// Blocks until all connections are closed, at most for the given time. Returns whether they are
  /// closed. A process calls this function before it ends. The reason is that a client must send
  /// QUIT before it closes a connection, and should wait for the answer (RFC 5321, section
  /// 4.1.1.10).
  @discardableResult
  package static func finish(within timeMax: Duration = closingMax) -> Bool {
    let end = ContinuousClock.now + timeMax
    while openCount.load(ordering: .acquiring) > 0 {
      if ContinuousClock.now >= end { return false }
      usleep(1_000)
    }
    return true
  }
}

/// A gate that allows connections only to the addresses that the mail hook may reach. The gate
/// checks each address before libcurl connects to it.
final class MailGate {
  private let privateAddresses: PrivateAddresses
  private var refused: IPAddress?
  /// Whether a connection to an allowed address was attempted.
  private var hasTried = false

  init(_ privateAddresses: PrivateAddresses) { self.privateAddresses = privateAddresses }

  /// Installs the check in libcurl's handle. The gate must exist as long as the exchange.
  func apply(to easy: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
    _ = ccurl_set_open_function(easy) { context, _, address in
      guard let context, let address else { return CURL_SOCKET_BAD }
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = ccurl_address(address, &bytes)
      let place = IPAddress(bytes: Array(bytes.prefix(Int(count))))
      let gate = Unmanaged<MailGate>.fromOpaque(context).takeUnretainedValue()
      return gate.admits(place) ? ccurl_socket(address) : CURL_SOCKET_BAD
    }
  }

  /// Returns the failure if an address of the server was refused and no allowed address was tried;
  /// nil otherwise. If the server is a hostname, the delivery can be retried, because the
  /// hostname's addresses may change.
  func refusal(of server: String) -> DeliveryFailure? {
    guard let refused, !hasTried else { return nil }
    let target = server.split(separator: "//").last.flatMap { try? TargetURL("http://\($0)") }
    let failure = HostGate.refusal(of: target?.hostname ?? server, at: refused)
    return DeliveryFailure(
      HostGate.message(of: failure, allowedBy: "allow_private of email"),
      isRetryable: target?.address == nil)
  }

  private func admits(_ address: IPAddress?) -> Bool {
    guard let address else { return privateAddresses == .all }
    if privateAddresses.admits(address) {
      hasTried = true
      return true
    }
    refused = address
    return false
  }
}
