import FetchModel
import FetchValues

/// The target into which the keys of one secret are read.
struct SecretReading {
  var source: SecretSource?
  var hosts: [HostPattern]?
}

/// The keys of one secret: the source of its value, and the hostnames to which it may be sent.
enum SecretKeys {
  private typealias Key = ConfigKey<SecretReading>

  static let hosts = "hosts"
  static let oauth2 = "oauth2"

  static let all = ConfigKeys<SecretReading>([
    source("env", "an environment variable of fetchrun") { .environment($0) },
    source("file", as: .path, "a file that only its owner can read (`chmod 600`)") { .file($0) },
    Key(
      "command", as: .words,
      "the output of a program, started without a shell; the program must end within 10 s"
    ) {
      reader, value, secret in
      secret.source = reader.command(value.node)
    },
    Key(
      "credential", as: .text,
      "a file in `$CREDENTIALS_DIRECTORY`, from systemd's `LoadCredential=`"
    ) {
      reader, value, secret in
      secret.source = reader.credential(value.node)
    },
    source("keyring", "a `user` key of the kernel's keyrings") { .keyring($0) },
    Key("stored", as: .text, "the name given to `fetchrun secret set`") {
      reader, value, secret in
      secret.source = reader.stored(value.node)
    },
    Key(oauth2, as: .section("oauth"), "an access token that fetchrun requests and renews") {
      reader, value, secret in
      secret.source = reader.client(value.node).map(SecretSource.oauth2)
    },
    Key(
      hosts, .hosts, "the only hostnames that may receive the secret",
      default: "the hostnames that the plugin or hook file requests for the secret"
    ) { $0.hosts = $1 },
  ])

  private static func source(
    _ name: String, as kind: ConfigKind = .text, _ summary: String,
    _ make: @escaping @Sendable (String) -> SecretSource
  ) -> Key {
    Key(name, as: kind, summary) { reader, value, secret in
      secret.source = reader.filled(value.node, name).map(make)
    }
  }
}

/// The keys of `oauth2`.
enum OAuthKeys {
  private typealias Key = ConfigKey<OAuthClient>

  static let all = ConfigKeys<OAuthClient>([
    Key("token_url", as: .text, "the `https:` address of the token endpoint", isRequired: true) {
      reader, value, client in
      client.tokenURL = reader.tokenURL(value.node) ?? ""
    },
    Key("client_id", .text, "the client id", isRequired: true) { $0.clientID = $1 },
    Key("client_secret", .secret, "the client secret") { $0.clientSecret = $1 },
    Key(
      "refresh_token", .secret, "the refresh token",
      default: "none; fetchrun uses the client credentials grant"
    ) { $0.refreshToken = $1 },
    Key("scope", .text, "the scope of the token, as the server defines it") { $0.scope = $1 },
    Key(
      "client_auth", .choice(OAuthClient.Authentication.self), "how the client secret is sent",
      default: "basic"
    ) { $0.authentication = $1 },
  ])
}
