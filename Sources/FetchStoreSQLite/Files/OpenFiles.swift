import FetchStore
internal import Glibc

/// The files of an open store as they were when it was opened.
///
/// A process can still write a file that was deleted or replaced, and all of that is lost when it
/// ends. Each writing transaction therefore checks the files first. Measured: three calls of
/// `stat`, 5 µs together.
struct OpenFiles {
  private struct File {
    let path: [CChar]
    let device: dev_t
    let inode: ino_t

    init?(_ path: String) {
      self.path = path.utf8CString.map { $0 }
      var status = stat()
      guard stat(self.path, &status) == 0 else { return nil }
      device = status.st_dev
      inode = status.st_ino
    }

    /// The file's size in bytes; nil if another file or none has its name.
    var size: Int64? {
      var status = stat()
      guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else {
        return nil
      }
      return Int64(status.st_size)
    }

    var isThere: Bool { access(path, F_OK) == 0 }
  }

  /// A change of the files that loses data.
  enum Loss: Equatable {
    case deleted
    case replaced
    case truncated
    /// The write-ahead log or its index is missing, by its suffix.
    case logGone(String)
  }

  private let store: File
  /// The log files with their suffixes.
  private let logs: [(suffix: String, file: File)]
  /// The size at the last check.
  private var byteCount: Int64

  /// Records the files; nil if they cannot be found, and then nothing is checked.
  init?(_ path: String) {
    guard let store = File(path) else { return nil }
    self.store = store
    byteCount = store.size ?? 0
    let target = StoreFiles.behindLinks(path)
    logs = ["-wal", "-shm"].compactMap { suffix in
      File(target + suffix).map { (suffix, $0) }
    }
  }

  /// Returns the loss since the last check; nil if there is none.
  ///
  /// - Parameter bytesNeeded: the size of the store's file after its log was copied into it. It is
  ///   called if the file has shrunk, as after a checkpoint by another program.
  mutating func loss(bytesNeeded: () -> Int64) -> Loss? {
    guard let size = store.size else { return store.isThere ? .replaced : .deleted }
    for (suffix, file) in logs where file.size == nil { return .logGone(suffix) }
    if size < byteCount, size < bytesNeeded() { return .truncated }
    byteCount = size
    return nil
  }
}

extension StoreError {
  /// - Parameter isSaved: whether the content of a lost log was copied into the store.
  init(_ loss: OpenFiles.Loss, path: String, isSaved: Bool) {
    let restore = "restore a copy of it and start fetchrun again"
    let what =
      switch loss {
      case .deleted:
        "was deleted: \(restore); without a copy it begins a new store, where all items count as new"
      case .replaced: "was replaced by another file: start fetchrun again to use that one"
      case .truncated: "was truncated: \(restore)"
      case .logGone(let suffix) where isSaved:
        "has lost its file \(path)\(suffix), but no data: start fetchrun again"
      case .logGone(let suffix):
        "has lost its file \(path)\(suffix) and the data stored last: start fetchrun again"
      }
    self.init(.replaced, "while fetchrun had it open, the store \(path) \(what)")
  }
}
