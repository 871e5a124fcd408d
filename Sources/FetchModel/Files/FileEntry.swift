package import FetchValues

/// The state of one file, folder, link or other entry when it was read.
package struct FileEntry: Equatable, Sendable {
  /// The path from the listed folder; it may be invalid as a `FilePath`.
  package var path: String
  package var kind: FileKind
  /// The size in bytes; 0 for anything but a file.
  package var size: Int64
  /// The time at which its contents were last changed, according to its file system.
  package var modified: Timestamp

  package init(path: String, kind: FileKind, size: Int64, modified: Timestamp) {
    self.path = path
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}
