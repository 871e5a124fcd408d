import FetchModel

/// The keys of a job's `files`.
enum FilesKeys {
  private typealias Key = ConfigKey<FilesSettings>

  /// The files and folders; counting more would take seconds.
  private static let countRange = 1...10_000_000

  static let all = ConfigKeys<FilesSettings>(
    prefix: "files.",
    [
      Key(
        "root", .path, "the folder; if missing, it is created for its owner only",
        default: "`files/` and the job's name, beside the store"
      ) { $0.root = $1 },
      Key(
        "bytes", .size(), "all files in it together, including downloads under way", default: "10GB"
      ) { $0.quota.bytes = $1 },
      Key("count", .count(countRange), "files and folders in it", default: "100000") {
        $0.quota.count = $1
      },
    ])
}
