/// The keys of `allow` of a hook file, which are those of a job's but for its files.
enum HookAllowKey: String, ConfigKey {
  case hosts
  case privateAddresses = "private"
  case secrets
  case commands

  var entry: ConfigEntry {
    switch self {
    case .hosts:
      ConfigEntry(
        .hosts, "the only hostnames it may reach, besides those in its options; `[]` for none",
        default: "those the file asked for first")
    case .privateAddresses: jobKey.entry
    case .secrets:
      ConfigEntry(
        .names, "the only ones of its `secrets` that it may have sent; `[]` for none",
        default: "all of its `secrets`")
    case .commands:
      ConfigEntry(
        .names,
        "the only programs that its `secrets` may start, as they are written there; `[]` for none",
        default: "those that are written there")
    }
  }

  var jobKey: AllowKey {
    switch self {
    case .hosts: .hosts
    case .privateAddresses: .privateAddresses
    case .secrets: .secrets
    case .commands: .commands
    }
  }
}
