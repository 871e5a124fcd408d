import FetchModel

/// The keys of `keep`.
enum KeepKey: String, ConfigKey {
  case versions
  case runs
  case items
  case removed
  case size
  case jobSize = "job_size"

  var entry: ConfigEntry {
    switch self {
    case .versions:
      ConfigEntry(
        .count(1...Retention.versionsMax), "versions of an item, the current one included",
        default: "20")
    case .runs:
      ConfigEntry(
        .duration, "run records, ended transfers and deliveries that were given up", default: "90d")
    case .items:
      ConfigEntry(
        .duration, "items that their source no longer shows; they do not come back as new",
        default: "for ever")
    case .removed:
      ConfigEntry(
        .duration,
        "that an item was there, once it was removed or is kept no longer; after that it is new if its"
          + " source shows it again", default: "365d")
    case .size:
      ConfigEntry(
        .size, "the store's file",
        default: "10GB, or what leaves a quarter of its disk's free room")
    case .jobSize:
      ConfigEntry(.size, "the items of one job with their versions", default: "a quarter of `size`")
    }
  }
}
