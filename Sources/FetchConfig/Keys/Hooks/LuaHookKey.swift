import FetchValues

/// The keys of `lua`.
enum LuaHookKey: String, ConfigKey {
  case file
  case options
  case hosts
  case allow
  case allowPrivate = "allow_private"
  case secrets
  case limits

  var entry: ConfigEntry {
    switch self {
    case .file:
      ConfigEntry(
        .text,
        "a path: with a slash, or the name of a `.lua` file beside the config; else a name in a plugin "
          + "folder's `hooks/`",
        isRequired: true)
    case .options: ConfigEntry(.options, "the hook's options")
    case .hosts: ConfigEntry(.hosts, "hostnames it may reach besides those it asks for")
    case .allow: ConfigEntry(.hookAllow, "what it may touch, see below")
    case .allowPrivate: ConfigEntry(.blocks, "short for `private` of `allow`", default: "none")
    case .secrets: ConfigEntry(.jobSecrets, "the secrets that it asks for, by its names")
    case .limits: ConfigEntry(.limits, "limits that differ from the usual")
    }
  }
}
