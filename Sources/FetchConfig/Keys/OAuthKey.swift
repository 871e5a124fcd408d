import FetchModel

/// The keys of `oauth2`.
enum OAuthKey: String, ConfigKey {
  case tokenURL = "token_url"
  case clientID = "client_id"
  case clientSecret = "client_secret"
  case refreshToken = "refresh_token"
  case scope
  case clientAuth = "client_auth"

  var entry: ConfigEntry {
    switch self {
    case .tokenURL:
      ConfigEntry(.text, "the `https:` address that gives tokens", isRequired: true)
    case .clientID: ConfigEntry(.text, "who asks", isRequired: true)
    case .clientSecret: ConfigEntry(.secret, "what proves it")
    case .refreshToken:
      ConfigEntry(
        .secret, "what the user has agreed to",
        default: "the client asks for itself")
    case .scope: ConfigEntry(.text, "what the token is for, as the server words it")
    case .clientAuth:
      ConfigEntry(
        .choice(OAuthClient.Authentication.allCases.map(\.rawValue)),
        "how the client's secret is sent", default: "basic")
    }
  }
}
