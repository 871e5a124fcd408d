import FetchModel
import Glibc

extension PartialFile {
  static let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
  private static let prefix = "write-"

  static func open(
    _ name: String, in root: FileRoot, for path: FilePath
  ) throws(FileFault) -> PartialFile {
    let hidden = try root.hiddenFolder()
    defer { close(hidden) }
    let credit = try root.credit(of: path)
    return try root.withinQuota { () throws(FileFault) in
      try root.withNames { names throws(FileFault) in
        guard !names.contains(name) else {
          throw FileFault(.write, path.text, .system(EBUSY))
        }
        let file = try open(name, hidden, in: root, for: path, credit)
        names.insert(name)
        return file
      }
    }
  }

  private static func open(
    _ name: String, _ hidden: Int32, in root: FileRoot, for path: FilePath, _ credit: FileUse
  ) throws(FileFault) -> PartialFile {
    var opened = Beneath.open(hidden, name, flags | O_CREAT | O_EXCL, mode: 0o666)
    let isNew = opened != -EEXIST
    if !isNew { opened = Beneath.open(hidden, name, flags) }
    guard opened >= 0 else { throw FileFault(.write, path.text, .system(-opened)) }
    guard let facts = FileFacts(of: opened), facts.kind == .file else {
      close(opened)
      throw FileFault(.write, path.text, .notRegular)
    }
    guard isLocked(opened) else {
      close(opened)
      throw FileFault(.write, path.text, .system(EBUSY))
    }
    // Another process may have removed or placed the file before this process locked it.
    guard FileFacts(in: hidden, name)?.isSameFile(as: facts) == true else {
      close(opened)
      throw FileFault(.write, path.text, .system(EBUSY))
    }
    let reserved = needed(facts.size, credit)
    let lying = isNew ? FileUse() : facts.use
    root.settle(FileUse(), as: FileUse() - lying)
    do throws(FileFault) { try root.reserve(reserved, .write, path) } catch {
      root.settle(FileUse(), as: lying)
      if isNew { unlinkat(hidden, name, 0) }
      close(opened)
      throw error
    }
    return PartialFile(
      opened, name, in: root, for: path, credit: credit,
      State(size: facts.size, reserved: reserved))
  }

  /// Locks the file. Returns false if another open descriptor holds the lock, for example for a
  /// transfer of another store with the same id and folder. Returns true on a file system that does
  /// not support locks.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Runs `body` while the file is locked. Does nothing if the file is already locked, because it
  /// is open elsewhere. If the file cannot be opened, for example because it does not exist, runs
  /// `body` without a lock.
  static func whileClosed(_ name: String, in hidden: Int32, _ body: () -> Void) {
    let opened = Beneath.open(hidden, name, flags)
    defer { if opened >= 0 { close(opened) } }
    if opened < 0 || isLocked(opened) { body() }
  }

  /// Returns the space that a file of the given size needs in the quota, less `credit`.
  static func needed(_ size: Int64, _ credit: FileUse) -> FileUse {
    FileUse(bytes: max(0, size - credit.bytes), count: 1 - credit.count)
  }

  // MARK: Proofs

  private static let proofSuffix = ".placed"

  /// Returns the name of a file's proof: the second name that `place(leavingProof:)` gives the file
  /// in the hidden folder.
  static func proofName(of name: String) -> String { name + proofSuffix }

  /// Returns the name of the partial file that has `name` as its second name; nil if `name` is not
  /// a second name.
  static func name(ofProof name: String) -> Substring? {
    name.hasSuffix(proofSuffix) ? name.dropLast(proofSuffix.count) : nil
  }

  // MARK: Names of partial files for writes

  /// Returns a new name for a temporary file that is never resumed.
  static func newName() -> String {
    prefix + "\(getpid())-\(UInt64.random(in: 0 ... .max))"
  }

  /// Whether the name belongs to a temporary file that a write has left behind. The process id in
  /// the name must be invalid, be of this process, or be of a process that no longer runs. The
  /// caller must not pass names of files that this process has open.
  static func isLeftBehind(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
    guard let process = pid_t(digits), process > 0, process != getpid() else { return true }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
