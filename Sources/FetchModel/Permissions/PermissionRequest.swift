/// What a plugin's manifest asks for, before options are filled in.
package struct PermissionRequest: Equatable, Sendable {
  /// Hostnames or other forms of `HostPattern`, or `{options.NAME}` for the hostname and the port of
  /// the URL in that option.
  package var http: [String] = []
  /// Files and folders to read by `file:` URLs, or `{options.NAME}`.
  package var read: [String] = []
  /// By their names.
  package var secrets: [SecretRequest] = []

  package init() {}
}
