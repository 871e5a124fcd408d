import CHost
package import FetchModel
package import FetchValues
import Glibc
import Synchronization

/// An incomplete file in the hidden folder of a job's root, until it is placed under its path. It
/// stays there when it is closed (with this value), so that a download can be resumed.
///
/// Appended bytes count against the root's quota, less the size of the file that it replaces. Calls
/// must not overlap.
package final class PartialFile: Sendable {
  private struct State {
    var size: Int64
    /// The space that the root's ledger keeps free for it.
    var reserved: FileUse
    /// Whether it was placed or removed.
    var isOver = false
  }

  /// The path where it will be placed.
  package let path: FilePath
  private let root: FileRoot
  private let name: String
  private let descriptor: Int32
  /// The use that is freed when it is placed.
  private let credit: FileUse
  // Locked before the root's names.
  private let state: Mutex<State>

  private init(
    _ descriptor: Int32, _ name: String, in root: FileRoot, for path: FilePath, credit: FileUse,
    _ state: State
  ) {
    (self.descriptor, self.name, self.root) = (descriptor, name, root)
    (self.path, self.credit) = (path, credit)
    self.state = Mutex(state)
  }

  deinit {
    leave()
    Glibc.close(descriptor)
  }

  /// Closes the file and leaves it to be opened again later; nothing more may be done with this
  /// value. A file without another end is left when its last reference goes.
  package func leave() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      flock(descriptor, LOCK_UN)
      root.forget(name) {
        root.settle(state.reserved, as: FileUse(bytes: state.size, count: 1))
      }
    }
  }

  /// The size so far.
  package var size: Int64 { state.withLock(\.size) }

  /// Appends at its end. If the space does not suffice for all of it, none or part of it is
  /// written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileFault) {
    try withState { state throws(FileFault) in
      let needed = Self.needed(state.size + Int64(bytes.count), credit)
      try root.withinQuota { () throws(FileFault) in
        try root.reserve(needed - state.reserved, .write, path)
      }
      state.reserved = needed
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = pwrite(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
          off_t(state.size))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw FileFault.last(.write, path.text) }
        state.size += Int64(count)
        rest = rest.dropFirst(count)
      }
    }
  }

  package func append(_ bytes: [UInt8]) throws(FileFault) {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(FileFault) in try append(bytes) }
    }.get()
  }

  /// Appends from the same offset of an open file, copied by the kernel where it can. Returns how
  /// many bytes it copied, 0 at the source's end.
  func append(from source: Int32, countMax: Int) throws(FileFault) -> Int {
    try withState { state throws(FileFault) in
      let needed = Self.needed(state.size + Int64(countMax), credit)
      try root.withinQuota { () throws(FileFault) in
        try root.reserve(needed - state.reserved, .write, path)
      }
      state.reserved = needed
      let count = copy_bytes(source, state.size, descriptor, state.size, countMax)
      guard count >= 0 else { throw FileFault(.write, path.text, .system(Int32(-count))) }
      state.size += Int64(count)
      return Int(count)
    }
  }

  /// Drops everything beyond that size: to start over, or to resume from a point known to be right.
  package func truncate(to size: Int64 = 0) throws(FileFault) {
    try withState { state throws(FileFault) in
      guard size < state.size else { return }
      guard ftruncate(descriptor, off_t(size)) == 0 else {
        throw FileFault.last(.write, path.text)
      }
      let needed = Self.needed(size, credit)
      root.settle(state.reserved - needed, as: FileUse())
      (state.size, state.reserved) = (size, needed)
    }
  }

  /// Sets the modification time that the finished file will have.
  package func setModified(_ time: Timestamp) throws(FileFault) {
    let seconds = time.seconds
    let nanoseconds = (time.milliseconds &- seconds &* 1000) * 1_000_000
    // Also sets the access time: leaving it alone takes a constant that Swift cannot see.
    let instant = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
    guard futimens(descriptor, [instant, instant]) == 0 else {
      throw FileFault.last(.write, path.text)
    }
  }

  /// Makes the appended bytes durable.
  package func sync() throws(FileFault) {
    guard fsync(descriptor) == 0 else { throw FileFault.last(.write, path.text) }
  }

  /// Returns the digest of the contents so far.
  package func sha256(isCancelled: () -> Bool = { false }) throws(FileFault) -> [UInt8] {
    let hidden = try root.hiddenFolder()
    defer { close(hidden) }
    return try RegularFile(beneath: hidden, name, as: path.text).sha256(isCancelled: isCancelled)
  }

  /// Makes the file durable and places it under its path, creating the folders on the way. A file
  /// that it replaces is first moved to `backup`, in place of an older backup. With `leavingProof`
  /// a second name of it stays (`FileRoot.placed`), where the file system supports that.
  ///
  /// After a failure the previous file is unchanged, and this one can be placed again.
  package func place(
    keepingReplacedAt backup: FilePath? = nil, leavingProof: Bool = false
  ) throws(FileFault) {
    try sync()
    try withState { state throws(FileFault) in
      let hidden = try root.hiddenFolder()
      defer { close(hidden) }
      try root.makeFolders(path.folder, for: path)
      if let backup { try root.makeFolders(backup.folder, for: backup) }
      try root.withinQuota { () throws(FileFault) in
        try root.change(path.folder, .write, path) { folder, names throws(FileFault) in
          try place(in: folder, from: hidden, backup, leavingProof, &state)
          names.remove(name)
          state.isOver = true
        }
      }
    }
  }

  /// Removes the file instead.
  package func remove() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      root.forget(name) {
        if let hidden = try? root.hiddenFolder() {
          unlinkat(hidden, name, 0)
          close(hidden)
        }
        root.settle(state.reserved, as: FileUse())
      }
    }
  }

  private func withState<T: Sendable>(
    _ body: (inout State) throws(FileFault) -> T
  ) throws(FileFault) -> T {
    try state.withLock { state in
      Result { () throws(FileFault) in try body(&state) }
    }.get()
  }
}

// MARK: Its place

extension PartialFile {
  private func place(
    in folder: Int32, from hidden: Int32, _ backup: FilePath?, _ leavesProof: Bool,
    _ state: inout State
  ) throws(FileFault) {
    let replaced = try root.replaceable(path, in: folder, .write)
    let freed = backup == nil ? replaced?.use ?? FileUse() : FileUse()
    let change = FileUse(bytes: state.size, count: 1) - freed
    let needed = FileUse(
      bytes: max(state.reserved.bytes, change.bytes), count: max(state.reserved.count, change.count)
    )
    try root.reserve(needed - state.reserved, .write, path)
    state.reserved = needed
    if replaced != nil, let backup { try keep(folder, hidden, at: backup) }
    if leavesProof {
      let proof = Self.proofName(of: name)
      unlinkat(hidden, proof, 0)
      _ = linkat(hidden, name, hidden, proof, 0)
    }
    guard renameat(hidden, name, folder, path.name) == 0 else {
      throw FileFault.last(.write, path.text)
    }
    root.settle(state.reserved, as: change)
  }

  /// Links the file that will be replaced to `backup`, so that its path always has a file. Renames
  /// it where the file system has no links.
  private func keep(
    _ folder: Int32, _ hidden: Int32, at backup: FilePath
  ) throws(FileFault) {
    let target = try root.folder.folder(backup.folder, O_RDONLY, .move, for: backup)
    defer { close(target) }
    let old = try root.replaceable(backup, in: target, .move)
    let link = Self.newName()
    let isLinked = linkat(folder, path.name, hidden, link, 0) == 0
    let isKept =
      isLinked
      ? renameat(hidden, link, target, backup.name) == 0
      : renameat(folder, path.name, target, backup.name) == 0
    let code = errno
    // A rename of a file onto itself leaves both names.
    if isLinked { unlinkat(hidden, link, 0) }
    guard isKept else { throw FileFault(.move, backup.text, .system(code)) }
    if let old { root.settle(FileUse(), as: FileUse() - old.use) }
    fsync(target)
  }
}

// MARK: Opening one

extension PartialFile {
  private static let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
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
    var opened = Beneath.open(hidden, name, flags)
    let isNew = opened == -ENOENT
    if isNew { opened = Beneath.open(hidden, name, flags | O_CREAT | O_EXCL, mode: 0o666) }
    guard opened >= 0 else { throw FileFault(.write, path.text, .system(-opened)) }
    guard let facts = FileFacts(of: opened), facts.kind == .file else {
      close(opened)
      throw FileFault(.write, path.text, .notRegular)
    }
    guard isLocked(opened) else {
      close(opened)
      throw FileFault(.write, path.text, .system(EBUSY))
    }
    // Another process removed it before we had the lock.
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

  /// Locks the file for this process. Returns false if another process has it: there it is another
  /// store's transfer. On a file system without locks it always succeeds.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Runs `body` while no process can open the file; does nothing while any process has it open.
  static func whileClosed(_ name: String, in hidden: Int32, _ body: () -> Void) {
    let opened = Beneath.open(hidden, name, flags)
    defer { if opened >= 0 { close(opened) } }
    if opened < 0 || isLocked(opened) { body() }
  }

  /// Returns the space that must be free for that many bytes.
  private static func needed(_ size: Int64, _ credit: FileUse) -> FileUse {
    FileUse(bytes: max(0, size - credit.bytes), count: 1 - credit.count)
  }

  // MARK: Proofs

  private static let proofSuffix = ".placed"

  /// Returns the second name of a file that was placed.
  static func proofName(of name: String) -> String { name + proofSuffix }

  /// Returns the name of the partial file whose second name is `proof`; nil if it is not such a
  /// name.
  static func name(ofProof name: String) -> Substring? {
    name.hasSuffix(proofSuffix) ? name.dropLast(proofSuffix.count) : nil
  }

  // MARK: Those of writes

  /// Returns a name for a file that no later process continues.
  static func newName() -> String {
    prefix + "\(getpid())-\(UInt64.random(in: 0 ... .max))"
  }

  /// Whether a file that is not open was made by `newName` in a process that has ended.
  static func isLeftBehind(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
    guard let process = pid_t(digits), process > 0, process != getpid() else { return true }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
