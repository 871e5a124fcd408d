/// A message for each delivery, by SMTP.
package struct EmailSettings: Equatable, Sendable {
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
