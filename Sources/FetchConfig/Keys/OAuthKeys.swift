import FetchModel

/// The keys of `oauth2`.
enum OAuthKeys {
  private typealias Key = ConfigKey<OAuthClient>

  static let all = ConfigKeys<OAuthClient>([
    Key("token_url", as: .text, "the `https:` address that gives tokens", isRequired: true) {
      reader, value, client in
      client.tokenURL = reader.tokenURL(value.node) ?? ""
    },
    Key("client_id", .text, "who asks", isRequired: true) { $0.clientID = $1 },
    Key("client_secret", .secret, "what proves it") { $0.clientSecret = $1 },
    Key(
      "refresh_token", .secret, "what the user has agreed to", default: "the client asks for itself"
    ) { $0.refreshToken = $1 },
    Key("scope", .text, "what the token is for, as the server words it") { $0.scope = $1 },
    Key(
      "client_auth", .choice(OAuthClient.Authentication.self), "how the client's secret is sent",
      default: "basic"
    ) { $0.authentication = $1 },
  ])
}
