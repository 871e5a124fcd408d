/// The keys of a job's `allow`.
enum AllowKey: String, ConfigKey {
  case hosts
  case privateAddresses = "private"
  case read
  case write
  case secrets
  case commands

  var entry: ConfigEntry {
    switch self {
    case .hosts:
      ConfigEntry(
        .hosts, "the only hostnames it may reach, besides those in its options; `[]` for none",
        default: "those the plugin asked for first")
    case .privateAddresses:
      ConfigEntry(
        .blocks, "private, loopback, link-local and metadata addresses it may reach",
        default: "none")
    case .read:
      ConfigEntry(
        .paths,
        "the only files and folders that its `file:` URLs and `files.folder` may read; `[]` for none",
        default: "those that `fetchrun grant` agreed to")
    case .write:
      ConfigEntry(
        .places,
        "whether it may keep files in its own folder, or the only paths in that where it may; `[]` for "
          + "none",
        default: "if the plugin asked for it first")
    case .secrets:
      ConfigEntry(
        .names, "the only ones of its `secrets` that its plugin may have sent; `[]` for none",
        default: "all of its `secrets`")
    case .commands:
      ConfigEntry(
        .names,
        "the only programs that its own `hooks` and `secrets` may start, as they are written there;"
          + " `sh` for those with `shell`, `[]` for none",
        default: "those that are written there")
    }
  }
}
