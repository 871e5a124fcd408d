import FetchValues

/// A secret that a plugin's manifest requests.
package struct SecretRequest: Equatable, Sendable {
  package var name: String
  /// The hostnames to which the plugin will send the secret, in the form of
  /// `PermissionRequest.http`.
  package var hosts: [String] = []
  package var summary: String?
  /// Whether the plugin cannot work without the secret.
  package var isRequired = false

  package init(name: String) { self.name = name }
}
