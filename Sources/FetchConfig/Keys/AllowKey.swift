/// The keys of a job's `allow`.
enum AllowKey: String, ConfigKey {
  case hosts
  case privateAddresses = "private"
  case read
  case write

  var entry: ConfigEntry {
    switch self {
    case .hosts:
      ConfigEntry(
        .hosts, "the only hostnames it may reach, besides those in its options",
        default: "those the plugin asked for first")
    case .privateAddresses:
      ConfigEntry(
        .blocks, "private, loopback, link-local and metadata addresses it may reach",
        default: "none")
    case .read:
      ConfigEntry(
        .paths, "files and folders that its `file:` URLs and `files.folder` may read",
        default: "none")
    case .write:
      ConfigEntry(
        .flag, "whether it may keep files in its own folder",
        default: "if the plugin asked for it first")
    }
  }
}
