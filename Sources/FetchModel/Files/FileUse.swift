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
