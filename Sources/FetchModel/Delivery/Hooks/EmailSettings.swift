import FetchValues

/// A mail for each delivery, sent by SMTP.
package struct EmailSettings: SinkSettings {
  /// The server: `smtp://host:port`, which must start TLS unless `allowsPlain`, or `smtps://`.
  package var server: String
  package var from: String
  package var to: [String]
  package var user: String?
  package var password: SecretSource?
  /// A template that replaces the default subject.
  package var subject: String?
  /// Whether unencrypted connections are allowed.
  package var allowsPlain = false
  /// The private, loopback and link-local addresses that the server may have. The default is all: a
  /// mail server in your own network is usual, and only the user can name one.
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

  /// The hostname: `mail.example.org` for `smtp://mail.example.org:587`.
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
