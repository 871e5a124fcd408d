import FetchModel

/// The keys of a job's `files`.
enum FilesKeys {
  private typealias Key = ConfigKey<FilesSettings>

  /// The range of the key `count`, the limit of files and folders.
  private static let countRange = 1...10_000_000

  static let all = ConfigKeys<FilesSettings>(
    prefix: "files.",
    [
      Key(
        "root", .path,
        "the folder; if it is missing, it is created, with access for its owner only",
        default: "the job's folder in `files/`, beside the store; if the store is in PostgreSQL,"
          + " `files/` is in the folder that `fetchrun store info` shows as local data"
      ) { $0.root = $1 },
      Key(
        "bytes", .size(),
        "maximum total size of the files in the folder, including current downloads",
        default: "10GB"
      ) { $0.quota.bytes = $1 },
      Key(
        "count", .count(countRange),
        "maximum number of files and folders in the folder", default: "100000"
      ) {
        $0.quota.count = $1
      },
    ])
}
