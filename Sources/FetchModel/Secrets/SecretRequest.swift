import FetchValues

/// A secret that a plugin's manifest asks for.
package struct SecretRequest: Equatable, Sendable {
  package var name: String
  /// Where it is to be sent: as `PermissionRequest.http`.
  package var hosts: [String] = []
  package var summary: String?
  /// Whether the plugin cannot do without.
  package var isRequired = false

  package init(name: String) { self.name = name }
}
