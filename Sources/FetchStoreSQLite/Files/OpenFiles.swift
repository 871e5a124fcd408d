import FetchStore
internal import Glibc

/// The files of an open store as they were when it was opened.
///
/// A file that was deleted or replaced can still be written by whoever has it open, and all of that is
/// lost when the process ends. So each transaction that writes asks before it begins. Measured: three
/// calls of `stat`, 5 µs together.
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

    /// The file's size in bytes; nil where another file, or none, has its name.
    var size: Int64? {
      var status = stat()
      guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else {
        return nil
      }
      return Int64(status.st_size)
    }

    var isThere: Bool { access(path, F_OK) == 0 }
  }

  /// What became of the files.
  enum Loss: Equatable {
    case deleted
    case replaced
    case truncated
    /// The write-ahead log or its index, by its suffix.
    case logGone(String)
  }

  private let store: File
  /// With their suffixes.
  private let logs: [(suffix: String, file: File)]
  /// When it was last looked at.
  private var byteCount: Int64

  /// Nil where the files cannot be found: then nothing is checked.
  init?(_ path: String) {
    guard let store = File(path) else { return nil }
    self.store = store
    byteCount = store.size ?? 0
    let target = StoreFiles.behindLinks(path)
    logs = ["-wal", "-shm"].compactMap { suffix in
      File(target + suffix).map { (suffix, $0) }
    }
  }

  /// What was done to the files since the last time; nil where all is well.
  ///
  /// - Parameter bytesNeeded: how large the file of the store is when all of its log was copied into
  ///   it; asked where the file has become smaller, as after a checkpoint by another program.
  mutating func loss(bytesNeeded: () -> Int64) -> Loss? {
    guard let size = store.size else { return store.isThere ? .replaced : .deleted }
    for (suffix, file) in logs where file.size == nil { return .logGone(suffix) }
    if size < byteCount, size < bytesNeeded() { return .truncated }
    byteCount = size
    return nil
  }
}

extension StoreError {
  /// - Parameter isSaved: whether what stood in a lost log was copied into the store.
  init(_ loss: OpenFiles.Loss, path: String, isSaved: Bool) {
    let restore = "restore a copy of it, and start fetchrun again"
    let what =
      switch loss {
      case .deleted:
        "was deleted: \(restore); without a copy it begins a new store, to which all items are news"
      case .replaced: "was replaced by another file: start fetchrun again to use that one"
      case .truncated: "was cut short: \(restore)"
      case .logGone(let suffix) where isSaved:
        "has lost its file \(path)\(suffix), of which nothing was lost: start fetchrun again"
      case .logGone(let suffix):
        "has lost its file \(path)\(suffix), and with it what was stored last: start fetchrun again"
      }
    self.init(.replaced, "while fetchrun had it open, the store \(path) \(what)")
  }
}
