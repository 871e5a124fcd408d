import FetchValues

/// A secret that a plugin's manifest asks for.
package struct SecretRequest: Equatable, Sendable {
  package var name: String
  /// The hostnames that shall receive it, in the form of `PermissionRequest.http`.
  package var hosts: [String] = []
  package var summary: String?
  /// Whether the plugin cannot work without it.
  package var isRequired = false

  package init(name: String) { self.name = name }
}
