import FetchStore
internal import Glibc

/// The files of an open store as they were when it was opened.
///
/// A process can still write a file that was deleted or replaced. The written data are lost when
/// the process ends. Each writing transaction therefore checks the files first. The check calls
/// `stat` for up to three files, which takes 5 µs (measured).
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

    /// The file's size in bytes; nil if the path no longer leads to the file.
    var size: Int64? {
      var status = stat()
      guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else {
        return nil
      }
      return Int64(status.st_size)
    }

    var isThere: Bool { access(path, F_OK) == 0 }
  }

  /// A change of the files that can cause a loss of data.
  enum Loss: Equatable {
    case deleted
    case replaced
    case truncated
    /// The write-ahead log or the index of the log was deleted or replaced. The value is the path
    /// of the file.
    case logGone(String)
  }

  private let store: File
  /// The log files, each with its path. A store that is opened by a symbolic link has its log files
  /// beside the target of the link.
  private let logs: [(path: String, file: File)]
  /// The size of the store's file at the last check, in bytes.
  private var byteCount: Int64

  /// Records the files. Returns nil if the store's file cannot be found. A log file that cannot be
  /// found is not recorded.
  init?(_ path: String) {
    guard let store = File(path) else { return nil }
    self.store = store
    byteCount = store.size ?? 0
    let target = StoreFiles.behindLinks(path)
    logs = ["-wal", "-shm"].compactMap { suffix in
      File(target + suffix).map { (target + suffix, $0) }
    }
  }

  /// Returns the loss; nil if there is none.
  ///
  /// - Parameter bytesNeeded: returns the size in bytes that the store's file must have after its
  ///   log was copied into it. Called only if the file has shrunk, for example after a checkpoint
  ///   by another program.
  mutating func loss(bytesNeeded: () -> Int64) -> Loss? {
    guard let size = store.size else { return store.isThere ? .replaced : .deleted }
    for (path, file) in logs where file.size == nil { return .logGone(path) }
    if size < byteCount, size < bytesNeeded() { return .truncated }
    byteCount = size
    return nil
  }
}

extension StoreError {
  /// Creates the error for a loss of the store's files.
  ///
  /// - Parameter isSaved: whether the content of a missing log could be copied into the store.
  init(_ loss: OpenFiles.Loss, path: String, isSaved: Bool) {
    let restore = "restore a copy of it and start fetchrun again"
    let what =
      switch loss {
      case .deleted:
        "was deleted: \(restore); without a copy, all items count as new"
      case .replaced: "was replaced by another file: start fetchrun again to use that one"
      case .truncated: "was truncated: \(restore)"
      case .logGone(let log) where isSaved:
        "lost its file \(log), but no data: start fetchrun again"
      case .logGone(let log):
        "lost its file \(log) and may have lost the most recent data: start fetchrun again"
      }
    self.init(.replaced, "while fetchrun had it open, the store \(path) \(what)")
  }
}
