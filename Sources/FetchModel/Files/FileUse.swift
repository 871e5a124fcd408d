/// What lies in a folder, or what is to be added to it or, negative, taken away.
package struct FileUse: Equatable, Sendable {
  /// Of regular files, in bytes.
  package var bytes: Int64 = 0
  /// Files, folders and whatever else has a name.
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
