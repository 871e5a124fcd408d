import FetchValues

/// The keys of `email`.
enum EmailKey: String, ConfigKey {
  case server
  case from
  case to
  case user
  case password
  case subject
  case allowPlain = "allow_plain"
  case allowPrivate = "allow_private"
  case timeout

  var entry: ConfigEntry {
    switch self {
    case .server:
      ConfigEntry(
        .text, "`smtps://host`, or `smtp://host:587`, which must begin TLS", isRequired: true)
    case .from: ConfigEntry(.text, "the sender's address", isRequired: true)
    case .to: ConfigEntry(.names, "the receivers' addresses", isRequired: true)
    case .user: ConfigEntry(.text, "who signs in to the server")
    case .password: ConfigEntry(.secret, "what proves it")
    case .subject: ConfigEntry(.text, "a template in place of the usual subject, see <doc:Hooks>")
    case .allowPlain:
      ConfigEntry(.flag, "a server without encryption will do", default: "false")
    case .allowPrivate:
      ConfigEntry(
        .blocks, "private, loopback and link-local addresses the server may have; `false` for none",
        default: "`true`")
    case .timeout: ConfigEntry(.duration, "how long it may take", default: "1m")
    }
  }
}
