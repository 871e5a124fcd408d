import FetchModel
import Synchronization

/// The values that this process has obtained from programs, keyrings and token servers, so that
/// later runs need not read them again. The values are also redacted in later runs. A value is
/// forgotten when the same source provides another value, or when the process ends.
package final class SecretCache: Sendable {
  /// One value, with its kind if it is not the secret itself, such as `client_secret` for a token.
  typealias Value = (what: String?, value: SecretValue)

  private let values = Mutex<[SecretSource: [Value]]>([:])

  package init() {}

  func note(_ found: [Value], from source: SecretSource) {
    if source.isReadAtOnce { return }
    values.withLock { $0[source] = found }
  }

  func values(from source: SecretSource) -> [Value] { values.withLock { $0[source] ?? [] } }
}
