package import FetchValues

/// One file, folder, link or other thing, as it was when it was looked at.
package struct FileEntry: Equatable, Sendable {
  /// From the folder that was asked; may be text that is no `FilePath`.
  package var path: String
  package var kind: FileKind
  /// In bytes; 0 for what is no file.
  package var size: Int64
  /// When its contents last changed, as its file system says.
  package var modified: Timestamp

  package init(path: String, kind: FileKind, size: Int64, modified: Timestamp) {
    self.path = path
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}
