import FetchValues

/// A message for each delivery, by SMTP.
package struct EmailSettings: SinkSettings {
  /// `smtp://host:port`, which must begin TLS unless `allowsPlain`, or `smtps://`.
  package var server: String
  package var from: String
  package var to: [String]
  package var user: String?
  package var password: SecretSource?
  /// A template in place of the usual subject.
  package var subject: String?
  /// Whether the server may be spoken to without encryption.
  package var allowsPlain = false
  /// Which private, loopback and link-local addresses the server may have. All, unless the user says
  /// otherwise: that of one's own network is the usual one, and nobody else can name another.
  package var privateAddresses = PrivateAddresses.all
  package var timeout: Duration = .seconds(60)

  package init(server: String, from: String, to: [String]) {
    self.server = server
    self.from = from
    self.to = to
  }
}

extension EmailSettings {
  package var word: String { "email" }

  /// `smtp://mail.example.org:587` gives `mail.example.org`.
  package var receiver: String {
    let authority = server.lastName
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  package var secretSources: [SecretSource] { password.map { [$0] } ?? [] }

  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    var settings = self
    settings.password = password?.resolvingPaths(resolved)
    return settings
  }
}
