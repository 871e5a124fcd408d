package import FetchValues

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
