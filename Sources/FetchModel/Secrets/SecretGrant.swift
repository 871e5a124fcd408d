import FetchValues

/// A secret that a run may use, and the only servers that may receive the secret.
package struct SecretGrant: Hashable, Sendable {
  package var name: String
  package var hosts: [HostPattern]

  package init(name: String, hosts: [HostPattern]) {
    self.name = name
    self.hosts = hosts
  }
}

extension SecretGrant {
  /// Returns the reason why the secret may not be sent to the server at the address; nil if the
  /// secret may be sent.
  package func check(_ target: TargetURL) -> Failure? {
    if hosts.contains(where: { $0.matches(target) }) { return nil }
    let granted = hosts.isEmpty ? "no hostname" : hosts.map(\.text).joined(separator: ", ")
    return Failure(
      .permission,
      "the secret '\(name)' may not be sent to \(HostPattern.missingPlace(of: target, in: hosts)) (granted: \(granted)); "
        + "add the server to `hosts` of the secret in the config or the case file if you trust it")
  }
}

/// A secret that the manifest of a plugin or hook file requests.
package struct SecretRequest: Equatable, Sendable {
  package var name: String
  /// The hostnames to which the file will send the secret, in the form of `PermissionRequest.http`.
  package var hosts: [String] = []
  package var summary: String?
  /// Whether the file cannot work without the secret.
  package var isRequired = false

  package init(name: String) { self.name = name }
}

/// The rule for the names of secrets in manifests, configs, Lua and redaction marks.
package enum SecretName {
  package static let bytesMax = 64
  /// The rule in words, for messages.
  package static let rule =
    "up to \(bytesMax) ASCII letters, digits, '-', '_' and '.', and do not begin with '.'"

  package static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    return !bytes.isEmpty && bytes.count <= bytesMax && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || "-_.".utf8.contains($0) }
  }
}

/// The reason why a secret cannot be read or stored, or why a text with secrets is invalid.
package struct SecretProblem: Error, Equatable, Sendable {
  package var message: String
  /// Whether another attempt to read the secret may succeed.
  package var retryable: Bool

  package init(_ message: String, retryable: Bool = false) {
    self.message = message
    self.retryable = retryable
  }
}
