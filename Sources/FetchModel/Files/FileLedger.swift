package import FetchValues

/// The used and the reserved space of one folder. The ledger keeps all writers of the folder within
/// the folder's quota.
///
/// Each writer reserves space before it writes, and replaces the reservation by the actual change
/// afterwards. Two concurrent writers thus cannot use the same space. A refused reservation changes
/// nothing, and a removal is never refused.
package struct FileLedger: Equatable, Sendable {
  package var quota: FileQuota
  /// The space in use at the last count of the folder's files, plus all changes that were settled
  /// since that count.
  package private(set) var settled: FileUse
  /// The space that current writers have reserved and not settled yet.
  package private(set) var reserved = FileUse()

  package init(quota: FileQuota, found: FileUse) {
    self.quota = quota
    settled = found
  }

  package mutating func reserve(_ use: FileUse) throws(FileQuotaProblem) {
    let sum = settled + reserved + use
    if use.bytes > 0, sum.bytes > quota.bytes { throw .bytes(quota.bytes) }
    if use.count > 0, sum.count > quota.count { throw .count(quota.count) }
    reserved = reserved + use
  }

  /// Replaces the reservation `use` by the actual change of the space in use.
  package mutating func settle(_ use: FileUse, as change: FileUse) {
    reserved = reserved - use
    settled = settled + change
  }

  /// Replaces the settled use by the result of a new count of the folder's files. Reservations stay
  /// unchanged.
  package mutating func recount(_ found: FileUse) { settled = found }
}

/// The properties of one file, folder, link or other entry when the host read them.
package struct FileEntry: Equatable, Sendable {
  /// The path relative to the listed folder. `FilePath` may reject this path.
  package var path: String
  package var kind: FileKind
  /// The size in bytes; 0 for an entry that is not a regular file.
  package var size: Int64
  /// The time of the last change to the contents, as the file system records it.
  package var modified: Timestamp

  package init(path: String, kind: FileKind, size: Int64, modified: Timestamp) {
    self.path = path
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}

/// The space that a folder uses, or a change of this space. The change is negative for a removal.
package struct FileUse: Equatable, Sendable {
  /// The total size of regular files, in bytes.
  package var bytes: Int64 = 0
  /// The number of files, folders and other named entries.
  package var count: Int = 0

  package init(bytes: Int64 = 0, count: Int = 0) {
    self.bytes = bytes
    self.count = count
  }

  package static func + (left: FileUse, right: FileUse) -> FileUse {
    FileUse(bytes: left.bytes &+ right.bytes, count: left.count &+ right.count)
  }

  package static func - (left: FileUse, right: FileUse) -> FileUse {
    FileUse(bytes: left.bytes &- right.bytes, count: left.count &- right.count)
  }
}

/// The kind of a directory entry, in the words of the plugin interface.
package enum FileKind: String, Sendable, CaseIterable {
  case file
  case folder
  /// A symbolic link, regardless of its target.
  case link
  /// A FIFO, socket or device.
  case other
}
