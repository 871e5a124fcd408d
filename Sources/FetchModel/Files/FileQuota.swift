import FetchValues

/// The limits of a job's folder.
package struct FileQuota: Equatable, Sendable {
  package var bytes: Int64
  /// The maximum number of files and folders.
  package var count: Int

  package init(bytes: Int64 = 10_000_000_000, count: Int = 100_000) {
    self.bytes = bytes
    self.count = count
  }
}

/// The limit that a write to the folder would exceed.
package enum FileQuotaProblem: Error, Equatable, Sendable {
  case bytes(Int64)
  case count(Int)
}

extension FileQuotaProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bytes(let max):
      "the folder may hold at most \(ByteSize(bytes: max)) (`files.bytes`);"
        + " remove files or raise the quota"
    case .count(let max):
      "the folder may hold at most \(max) files and folders (`files.count`);"
        + " remove some or raise the quota"
    }
  }
}
