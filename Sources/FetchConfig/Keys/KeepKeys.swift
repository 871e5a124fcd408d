import FetchModel

/// The keys of `keep`.
enum KeepKeys {
  private typealias Key = ConfigKey<Retention>

  static let all = ConfigKeys<Retention>(
    prefix: "keep.",
    [
      Key(
        "versions", .count(1...Retention.versionsMax),
        "versions of an item, the current one included", default: "20"
      ) { $0.versionCount = $1 },
      Key(
        "runs", .wholeDays, "run records, ended transfers and deliveries that were given up",
        default: "90d"
      ) { $0.runDays = $1 },
      Key(
        "items", .wholeDays,
        "items that their source no longer shows; they do not come back as new",
        default: "for ever"
      ) { $0.itemDays = $1 },
      Key(
        "removed", .wholeDays,
        "that an item was there, once it was removed or is kept no longer; after that it is new if its"
          + " source shows it again",
        default: "365d"
      ) { $0.tombstoneDays = $1 },
      Key(
        "size", .size(atLeast: Retention.bytesMin), "the store's file",
        default: "10GB, or what leaves a quarter of its disk's free room"
      ) { $0.bytesMax = $1 },
      Key(
        "job_size", .size(atLeast: Retention.bytesMin),
        "the items of one job with their versions", default: "a quarter of `size`"
      ) { $0.jobBytesMax = $1 },
    ])
}
