import FetchValues

/// The keys of one secret: where its value is, and where it may be sent.
enum SecretKey: String, ConfigKey {
  case env
  case file
  case command
  case credential
  case keyring
  case stored
  case oauth2
  case hosts

  /// The sources, of which a secret has one.
  static let sources = allCases.filter { $0 != .hosts }

  var entry: ConfigEntry {
    switch self {
    case .env: ConfigEntry(.text, "an environment variable of fetchrun")
    case .file: ConfigEntry(.path, "a file that only its owner can read (`chmod 600`)")
    case .command:
      ConfigEntry(.words, "what a program prints within 10 s; no shell reads the words")
    case .credential: ConfigEntry(.text, "a file of `$CREDENTIALS_DIRECTORY`: `LoadCredential=`")
    case .keyring: ConfigEntry(.text, "a `user` key of the kernel's keyrings")
    case .stored: ConfigEntry(.text, "the name that `fetchrun secret set` has given it")
    case .oauth2: ConfigEntry(.oauth2, "an access token, which fetchrun gets and renews")
    case .hosts:
      ConfigEntry(.hosts, "the only hostnames it is sent to", default: "those the plugin names")
    }
  }
}
