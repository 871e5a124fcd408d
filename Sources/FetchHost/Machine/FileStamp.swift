import Glibc

/// The facts that show whether a file, or the direct contents of a folder, has changed.
package struct FileStamp: Equatable {
  private struct Entry: Equatable {
    var name: String
    var device: dev_t
    var node: ino_t
    var size: off_t
    var modifiedAt: Int64
    /// The time of the last change of the file's facts; nil for a file without links. rename(2) sets
    /// the time of the replaced file a moment before the name refers to the new file. Without the
    /// nil, a replacement would count as two changes.
    var changedAt: Int64?

    static func == (left: Entry, right: Entry) -> Bool {
      left.name == right.name && left.device == right.device && left.node == right.node
        && left.size == right.size && left.modifiedAt == right.modifiedAt
        && (left.changedAt == right.changedAt || left.changedAt == nil || right.changedAt == nil)
    }
  }

  private var entries: [Entry] = []

  /// Reads the facts about a path; there are no facts if nothing exists at the path.
  package init(_ path: String) {
    guard let (entry, isFolder) = Self.entry(path, "") else { return }
    // Ignores a folder's own times, because the facts about its entries show every change.
    entries =
      isFolder
      ? FolderNames.all(in: path).sorted().compactMap { name in
        Self.entry(path + "/" + name, name)?.entry
      } : [entry]
  }

  private static func entry(_ path: String, _ name: String) -> (entry: Entry, isFolder: Bool)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let entry = Entry(
      name: name, device: status.st_dev, node: status.st_ino, size: status.st_size,
      modifiedAt: nanoseconds(status.st_mtim),
      changedAt: status.st_nlink == 0 ? nil : nanoseconds(status.st_ctim))
    return (entry, status.st_mode & S_IFMT == S_IFDIR)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
