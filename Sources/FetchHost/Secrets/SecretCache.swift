import FetchModel
import Synchronization

/// The values of programs, keyrings and token servers that this process has obtained and need not
/// read again. They are also redacted in later runs. A value is forgotten when another one comes
/// from the same source, and with the process.
package final class SecretCache: Sendable {
  /// One value, and its kind if it is not the secret itself: a token's `client_secret`.
  typealias Value = (what: String?, value: SecretValue)

  private let values = Mutex<[SecretSource: [Value]]>([:])

  package init() {}

  func note(_ found: [Value], from source: SecretSource) {
    if source.isReadAtOnce { return }
    values.withLock { $0[source] = found }
  }

  func values(from source: SecretSource) -> [Value] { values.withLock { $0[source] ?? [] } }
}
