import FetchModel

/// The keys of `keep`.
enum KeepKeys {
  private typealias Key = ConfigKey<Retention>

  static let all = ConfigKeys<Retention>(
    prefix: "keep.",
    [
      Key(
        "versions", .count(1...Retention.versionsMax),
        "versions of an item, including the current one", default: "20"
      ) { $0.versionCount = $1 },
      Key(
        "runs", .wholeDays, "run records, ended transfers, and deliveries that failed permanently",
        default: "90d"
      ) { $0.runDays = $1 },
      Key(
        "items", .wholeDays,
        "items that the source no longer lists; if listed again, they are not new",
        default: "for ever"
      ) { $0.itemDays = $1 },
      Key(
        "removed", .wholeDays,
        "how long removed or pruned items are remembered; after that, an item that is listed "
          + "again is new",
        default: "365d"
      ) { $0.tombstoneDays = $1 },
      Key(
        "size", .size(atLeast: Retention.bytesMin), "size of the store's file",
        default: "10GB, or less, so that a quarter of the free disk space stays free"
      ) { $0.bytesMax = $1 },
      Key(
        "job_size", .size(atLeast: Retention.bytesMin),
        "items of one job, with their versions", default: "a quarter of `size`"
      ) { $0.jobBytesMax = $1 },
    ])
}
