import FetchValues

/// The settings of a sink that delivers by email, over SMTP.
package struct EmailSettings: SinkSettings {
  /// The mail server: `smtps://host[:port]` or `smtp://host[:port]`. With `smtp`, the server must
  /// support STARTTLS unless `allowsPlain` is true.
  package var server: String
  package var from: String
  package var to: [String]
  package var user: String?
  package var password: SecretSource?
  /// The template for the subject; nil for the default subject.
  package var subject: String?
  /// Whether unencrypted connections are allowed.
  package var allowsPlain = false
  /// The private, loopback and other special addresses that the server may have. All are allowed by
  /// default, because many mail servers are in the user's network, and only the user can name a
  /// mail server.
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

  /// The server's hostname, such as `mail.example.org` for `smtp://mail.example.org:587`.
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
