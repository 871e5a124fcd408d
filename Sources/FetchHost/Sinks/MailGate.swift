import CHost
import FetchModel

/// Lets mail go only to such addresses as its hook may reach, whatever its server's name leads to.
final class MailGate {
  private let privateAddresses: PrivateAddresses
  private var refused: IPAddress?
  /// Whether there was an address that it may reach.
  private var hasTried = false

  init(_ privateAddresses: PrivateAddresses) { self.privateAddresses = privateAddresses }

  /// The gate has to live as long as the exchange.
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

  /// Why there was no connection; nil where it was for another reason. What a name leads to may be
  /// another address the next time; an address stays what it is.
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
