import FetchModel
import Synchronization

/// What was read or asked for in this process and is not to be read again for nothing: the values of
/// programs, keyrings and token servers, so that they are taken out of what later runs leave behind,
/// too. They are forgotten when another value comes from the same source, and with the process.
package final class SecretCache: Sendable {
  /// One value, and what it is beside the secret itself: a token's `client_secret`.
  typealias Value = (what: String?, value: SecretValue)

  private let values = Mutex<[SecretSource: [Value]]>([:])

  package init() {}

  func note(_ found: [Value], from source: SecretSource) {
    if source.isReadAtOnce { return }
    values.withLock { $0[source] = found }
  }

  func values(from source: SecretSource) -> [Value] { values.withLock { $0[source] ?? [] } }
}
