import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization

/// Secrets that are the values of environment variables, with the number of reads of each secret.
final class FixedSecrets: SecretReading {
  private let values: [String: String]
  private let reads = Mutex<[String: Int]>([:])
  private let kept = Mutex<[SecretValue]>([])
  private let keepProblem: SecretProblem?

  init(_ values: [String: String], keepProblem: SecretProblem? = nil) {
    self.values = values
    self.keepProblem = keepProblem
  }

  func readCount(_ name: String) -> Int { reads.withLock { $0[name] ?? 0 } }
  var keptTokens: [String] { kept.withLock { $0.map(\.text) } }

  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue {
    guard case .environment(let name) = source, let value = values[name] else {
      throw SecretProblem("the variable is not set")
    }
    reads.withLock { $0[name, default: 0] += 1 }
    return SecretValue(value)
  }

  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue? {
    guard let source = client.refreshToken else { return nil }
    if let newest = kept.withLock({ $0.last }) { return newest }
    return try await value(of: source)
  }

  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem) {
    if let keepProblem { throw keepProblem }
    kept.withLock { $0.append(token) }
  }
}

extension RunSecrets {
  /// Creates the secrets of a run, where each secret is the environment variable of the same name.
  convenience init(
    _ hosts: [String: [String]], reading: any SecretReading,
    clients: [String: OAuthClient] = [:], tokens: AccessTokens = AccessTokens()
  ) {
    self.init(
      grants: hosts.map { name, hosts in
        SecretGrant(name: name, hosts: HostPattern.open(hosts))
      },
      sources: Dictionary(
        uniqueKeysWithValues: hosts.keys.map { name in
          (name, clients[name].map(SecretSource.oauth2) ?? .environment(name))
        }),
      access: SecretAccess(reading: reading, tokens: tokens))
  }
}

extension SecretText {
  static func of(_ name: String) -> SecretText {
    SecretText([.secret(name: name, spelling: .plain)])
  }
}
