import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues

/// Secrets with known values: each secret is the environment variable of the same name.
struct FixedSecrets: SecretReading {
  var values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue {
    guard case .environment(let name) = source, let value = values[name] else {
      throw SecretProblem("the variable is not set")
    }
    return SecretValue(value)
  }

  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue? { nil }

  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem) {}
}

extension RunSecrets {
  /// Creates the secrets of a run, with the secret `token` for the given hostnames.
  convenience init(
    _ hosts: [String], _ values: [String: String], client: OAuthClient? = nil,
    tokens: AccessTokens = AccessTokens()
  ) {
    self.init(
      grants: [SecretGrant(name: "token", hosts: HostPattern.open(hosts))],
      sources: ["token": client.map(SecretSource.oauth2) ?? .environment("token")],
      access: SecretAccess(reading: FixedSecrets(values), tokens: tokens))
  }
}

extension SecretText {
  static let token = SecretText([.secret(name: "token", spelling: .plain)])
}
