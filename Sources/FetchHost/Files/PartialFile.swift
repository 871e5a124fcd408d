import CHost
package import FetchModel
package import FetchValues
import Glibc
import Synchronization

/// An incomplete file in the hidden folder of a job's root, not yet placed at its path. The file
/// stays in the hidden folder when this value is released, so that a download can be resumed.
///
/// Appended bytes count against the root's quota, less the size of the file that will be replaced.
/// Calls must not overlap.
package final class PartialFile: Sendable {
  private struct State {
    var size: Int64
    /// The space that the root's ledger has reserved for this file.
    var reserved: FileUse
    /// Whether the file was placed, removed, or left for a later attempt.
    var isOver = false
  }

  /// The path where the finished file will be placed.
  package let path: FilePath
  private let root: FileRoot
  private let name: String
  private let descriptor: Int32
  /// The number of bytes and files that become free when this file replaces the existing file at
  /// its path.
  private let credit: FileUse
  // To prevent deadlock, this lock is taken before the lock of the root's names.
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

  /// Releases the file, so that a later attempt can open the file again. This value must not be
  /// used afterwards. Releasing the last reference to this value has the same effect.
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

  /// The current size in bytes.
  package var size: Int64 { state.withLock(\.size) }

  /// Appends bytes at the end of the file. If the function throws, it has written none or only some
  /// of the bytes.
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

  /// Appends up to `countMax` bytes of an open source file. Begins at the source offset that equals
  /// the size of this file. The kernel copies the bytes where it can. Returns the number of bytes
  /// copied; 0 at the end of the source file.
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

  /// Drops all bytes beyond `size`, to start over or to resume from a point whose contents are
  /// known to be correct.
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

  /// Sets the modification time. A later append changes it again.
  package func setModified(_ time: Timestamp) throws(FileFault) {
    let seconds = time.seconds
    let nanoseconds = (time.milliseconds &- seconds &* 1000) * 1_000_000
    // Also sets the access time, because the constant for keeping it (UTIME_OMIT) is not visible in
    // Swift.
    let instant = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
    guard futimens(descriptor, [instant, instant]) == 0 else {
      throw FileFault.last(.write, path.text)
    }
  }

  /// Makes the appended bytes durable.
  package func sync() throws(FileFault) {
    guard fsync(descriptor) == 0 else { throw FileFault.last(.write, path.text) }
  }

  /// The number of files for which one sync of their file system costs less than a sync of each.
  private static let togetherMin = 4

  /// Makes the appended bytes of files of one root durable. Returns the fault of each file; nil for
  /// a durable file.
  static func sync(_ files: [PartialFile]) -> [FileFault?] {
    var codes = [Int32](repeating: 0, count: files.count)
    if files.count >= togetherMin, sync_together(files.map(\.descriptor), &codes, files.count) {
      return zip(files, codes).map { file, code in
        code == 0 ? nil : FileFault(.write, file.path.text, .system(code))
      }
    }
    return files.map { file in
      do throws(FileFault) { try file.sync() } catch { return error }
      return nil
    }
  }

  /// Returns the SHA-256 of the contents so far.
  package func sha256(isCancelled: () -> Bool = { false }) throws(FileFault) -> [UInt8] {
    let hidden = try root.hiddenFolder()
    defer { close(hidden) }
    return try RegularFile(beneath: hidden, name, as: path.text).sha256(isCancelled: isCancelled)
  }

  /// Makes the file durable, creates missing folders and moves the file to its path. If `backup` is
  /// given, an existing file at the path is first kept at `backup`, where it replaces an older
  /// backup. With `leavingProof`, the new file keeps a second name, if the file system supports
  /// hard links. `FileRoot.placed` checks the second name. Without hard links, an existing file
  /// with the same contents is not kept, because an earlier call may have placed it.
  ///
  /// After a failure before the move, this file can be placed again. The existing file is then
  /// unchanged and still at the path.
  package func place(
    keepingReplacedAt backup: FilePath? = nil, leavingProof: Bool = false
  ) throws(FileFault) {
    try place(Placement(backup: backup, leavesProof: leavingProof))
  }

  /// Removes the file without placing it.
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

// MARK: Placing the file

extension PartialFile {
  func place(_ placement: Placement) throws(FileFault) {
    if let fault = root.place([(self, placement)])[0] { throw fault }
  }

  /// Places the file on one of the threads. Files of the root that wait at the same time are placed
  /// together.
  func place(_ placement: Placement, on threads: FileThreads) async throws(FileFault) {
    try await root.place(self, placement, on: threads)
  }

  /// Moves the durable file from the hidden folder to the open folder of its path. The caller makes
  /// the move durable.
  func move(
    to folder: Int32, from hidden: Int32, _ placement: Placement
  ) throws(FileFault) {
    if let backup = placement.backup { try root.makeFolders(backup.folder, for: backup) }
    try withState { state throws(FileFault) in
      try root.withinQuota { () throws(FileFault) in
        try root.withNames { names throws(FileFault) in
          try place(in: folder, from: hidden, placement, &state)
          names.remove(name)
          state.isOver = true
        }
      }
    }
  }

  private func place(
    in folder: Int32, from hidden: Int32, _ placement: Placement, _ state: inout State
  ) throws(FileFault) {
    let backup = placement.backup
    let replaced = try root.replaceable(path, in: folder, .write)
    let freed = backup == nil ? replaced?.use ?? FileUse() : FileUse()
    var change = FileUse(bytes: state.size, count: 1) - freed
    let needed = FileUse(
      bytes: max(state.reserved.bytes, change.bytes), count: max(state.reserved.count, change.count)
    )
    try root.reserve(needed - state.reserved, .write, path)
    state.reserved = needed
    if let replaced, let backup, try !keep(folder, hidden, at: backup) {
      change = change - replaced.use
    }
    if placement.leavesProof {
      let proof = Self.proofName(of: name)
      unlinkat(hidden, proof, 0)
      _ = linkat(hidden, name, hidden, proof, 0)
    }
    guard renameat(hidden, name, folder, path.name) == 0 else {
      throw FileFault.last(.write, path.text)
    }
    root.settle(state.reserved, as: change)
  }

  /// Makes a backup, at the path `backup`, of the file that will be replaced. The backup is a hard
  /// link, so that `path` always has a file. If no hard link can be made, the backup is a copy. The
  /// backup's folder is synced if the file system can sync a folder. Returns false if no backup was
  /// made, because the file to be replaced has the same contents as this file.
  private func keep(
    _ folder: Int32, _ hidden: Int32, at backup: FilePath
  ) throws(FileFault) -> Bool {
    let target = try root.folder.folder(backup.folder, O_RDONLY, .move, for: backup)
    defer { close(target) }
    let old = try root.replaceable(backup, in: target, .move)
    let second = Self.newName()
    // If `backup` is already a name of this file, renaming does nothing and the link remains.
    defer { unlinkat(hidden, second, 0) }
    if linkat(folder, path.name, hidden, second, 0) != 0 {
      // Without hard links there is no proof. A process that was killed may have placed these
      // contents already. The present backup is then the user's file, which must stay.
      if try Self.isCopy(name, in: hidden, of: path, in: folder) { return false }
      try Self.copy(path, in: folder, to: second, in: hidden)
    }
    guard renameat(hidden, second, target, backup.name) == 0 else {
      throw FileFault.last(.move, backup.text)
    }
    if let old { root.settle(FileUse(), as: FileUse() - old.use) }
    // Some file systems cannot sync a folder and report EINVAL.
    guard fsync(target) == 0 || errno == EINVAL else { throw FileFault.last(.move, backup.text) }
    return true
  }

  /// Whether a file in the hidden folder has the same contents as the file at `path` in its folder.
  static func isCopy(
    _ name: String, in hidden: Int32, of path: FilePath, in folder: Int32
  ) throws(FileFault) -> Bool {
    let placed = try RegularFile(beneath: folder, path.name, as: path.text)
    let own = try RegularFile(beneath: hidden, name, as: path.text)
    guard placed.facts.size == own.facts.size else { return false }
    let hash = try placed.sha256(isCancelled: { false })
    return try own.sha256(isCancelled: { false }) == hash
  }

  /// Copies the file at `path` in its folder to a new file in the hidden folder, and makes the copy
  /// durable.
  static func copy(
    _ path: FilePath, in folder: Int32, to name: String, in hidden: Int32
  ) throws(FileFault) {
    let source = try RegularFile(beneath: folder, path.name, as: path.text)
    let target = Beneath.open(hidden, name, flags | O_CREAT | O_EXCL, mode: 0o666)
    guard target >= 0 else { throw FileFault(.write, path.text, .system(-target)) }
    defer { close(target) }
    try source.copy(to: target)
  }
}

// MARK: Opening a partial file

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
  private static func needed(_ size: Int64, _ credit: FileUse) -> FileUse {
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
