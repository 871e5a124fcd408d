import FetchValues

/// The keys of a job's `files`.
enum FilesKey: String, ConfigKey {
  case root
  case bytes
  case count

  /// Files and folders; more would make counting them take seconds.
  static let countRange = 1...10_000_000

  var entry: ConfigEntry {
    switch self {
    case .root:
      ConfigEntry(
        .path, "the folder; made for its owner only where it is not there",
        default: "`files/` and the job's name, beside the store")
    case .bytes:
      ConfigEntry(
        .size, "all files in it together, downloads under way too", default: "10GB")
    case .count:
      ConfigEntry(.count(Self.countRange), "files and folders in it", default: "100000")
    }
  }
}
