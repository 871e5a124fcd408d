import FetchModel

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
      default: "the client credentials grant"
    ) { $0.refreshToken = $1 },
    Key("scope", .text, "the scope of the token, as the server defines it") { $0.scope = $1 },
    Key(
      "client_auth", .choice(OAuthClient.Authentication.self), "how the client secret is sent",
      default: "basic"
    ) { $0.authentication = $1 },
  ])
}
