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
