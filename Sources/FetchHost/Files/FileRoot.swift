package import FetchModel
import FetchValues
import Glibc
import Synchronization

/// The folder in which a job may write, within its quota. No path leads out of the folder.
///
/// A file is created or replaced as a whole: it is written in the hidden folder, made durable, and
/// renamed into place. Every call may wait for the disk, so no call may be made on the threads of
/// Swift's tasks. Calls of several runs and transfers may overlap. Runs and transfers share one
/// quota if they share one `FileRoot` (see `FileRoots`).
package final class FileRoot: Sendable {
  package let folder: FileFolder
  /// The names of open partial files. The lock is held while a file in the folder is created, moved
  /// or removed. It is also held while the files are counted.
  private let names = Mutex(Set<String>())
  /// The ledger of the quota. Its used space is not valid until the files were counted. A thread
  /// that waits for `names` never holds this lock.
  private let ledger: Mutex<FileLedger>
  /// Whether the files in the folder were counted.
  private let isCounted = Atomic(false)
  /// Whether another process may have removed files since they were counted.
  private let isDoubtful = Atomic(false)
  /// The complete partial files that wait to be placed.
  let waiting = Mutex(PlacementQueue())

  private static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  private init(folder: FileFolder, quota: FileQuota) {
    self.folder = folder
    ledger = Mutex(FileLedger(quota: quota, found: FileUse()))
  }

  /// Opens the folder. Creates missing folders on the path, with access for this user only.
  package static func open(_ path: String, quota: FileQuota) throws(FileFault) -> FileRoot {
    try makeWithParents(path)
    let descriptor = Glibc.open(path, folderFlags)
    guard descriptor >= 0 else { throw FileFault.last(.make, path) }
    return FileRoot(folder: FileFolder(descriptor, path: path), quota: quota)
  }

  private static func makeWithParents(_ path: String) throws(FileFault) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastSlash, slash != path.startIndex else {
      throw FileFault.last(.make, path)
    }
    try makeWithParents(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFault.last(.make, path) }
  }

  /// Replaces the quota, also for files that are being written. Existing files stay, even if they
  /// exceed the new quota.
  package func setQuota(_ quota: FileQuota) { ledger.withLock { $0.quota = quota } }

  /// Requests a new count of the files in the folder, because other processes may have removed
  /// some. The files are counted before the quota is next reported as used up.
  package func doubtCount() { isDoubtful.store(true, ordering: .relaxed) }
}

// MARK: What plugins do

extension FileRoot {
  /// Writes a whole file and creates the missing folders on its path.
  package func write(_ bytes: [UInt8], to path: FilePath) throws(FileFault) {
    let file = try PartialFile.open(PartialFile.newName(), in: self, for: path)
    do throws(FileFault) {
      try file.append(bytes)
      try file.place()
    } catch {
      file.remove()
      throw error
    }
  }

  /// Removes a file, link or empty folder; returns false if nothing exists there.
  package func remove(_ path: FilePath) throws(FileFault) -> Bool {
    do throws(FileFault) {
      try change(path.folder, .remove, path) { folder, _ throws(FileFault) in
        guard let facts = FileFacts(in: folder, path.name),
          unlinkat(folder, path.name, facts.kind == .folder ? AT_REMOVEDIR : 0) == 0
        else { throw FileFault.last(.remove, path.text) }
        settle(FileUse(), as: FileUse() - facts.use)
      }
    } catch {
      if error.isAbsent { return false }
      throw error
    }
    return true
  }

  /// Moves a file or folder. A moved file replaces an existing file. Creates the missing folders on
  /// the new path.
  package func move(_ from: FilePath, to path: FilePath) throws(FileFault) {
    let source = try folder.folder(from.folder, O_RDONLY, .move, for: from)
    defer { close(source) }
    guard FileFacts(in: source, from.name) != nil else { throw FileFault.last(.move, from.text) }
    try makeFolders(path.folder, for: path)
    try change(path.folder, .move, path) { target, _ throws(FileFault) in
      let replaced = try replaceable(path, in: target, .move)
      guard let moved = FileFacts(in: source, from.name),
        renameat(source, from.name, target, path.name) == 0
      else { throw FileFault.last(.move, path.text) }
      guard let replaced, !replaced.isSameFile(as: moved) else { return }
      settle(FileUse(), as: FileUse() - replaced.use)
    }
    fsync(source)
  }
}

// MARK: Transfers

extension FileRoot {
  /// Returns the partial file of a transfer to `path`: the file that an earlier attempt left
  /// behind, or an empty file.
  ///
  /// Throws if `path` cannot be written because it is a folder or link. Throws EBUSY while the
  /// partial file is open.
  package func partial(_ id: Int64, for path: FilePath) throws(FileFault) -> PartialFile {
    try PartialFile.open(String(id), in: self, for: path)
  }

  /// Returns the size of the file at `path` if a proof shows that this transfer placed it;
  /// otherwise nil. The proof is a second name of the file, in the hidden folder.
  package func placed(_ id: Int64, at path: FilePath) throws(FileFault) -> Int64? {
    let hidden = try hiddenFolder()
    defer { close(hidden) }
    return try withNames { _ throws(FileFault) in
      let proof = FileFacts(in: hidden, PartialFile.proofName(of: String(id)))
      // While the name of the partial file exists, the file has not been placed yet.
      guard let proof, FileFacts(in: hidden, String(id)) == nil else { return nil }
      let opened = Beneath.open(folder.descriptor, path.folder.text, O_RDONLY | O_DIRECTORY)
      guard opened >= 0 else { return nil }
      defer { close(opened) }
      guard let found = FileFacts(in: opened, path.name), found.isSameFile(as: proof) else {
        return nil
      }
      return found.size
    }
  }

  /// Removes the partial file and the proof of a transfer. If this `FileRoot` has the partial file
  /// open, removes only the proof. Does nothing if the file is open elsewhere.
  package func removePartial(_ id: Int64) throws(FileFault) {
    let hidden = try hiddenFolder()
    defer { close(hidden) }
    try withNames { open throws(FileFault) in
      let (name, proof) = (String(id), PartialFile.proofName(of: String(id)))
      if open.contains(name) {
        unlinkat(hidden, proof, 0)
        return
      }
      PartialFile.whileClosed(name, in: hidden) {
        unlinkat(hidden, proof, 0)
        guard let facts = FileFacts(in: hidden, name), unlinkat(hidden, name, 0) == 0
        else { return }
        settle(FileUse(), as: FileUse() - facts.use)
      }
    }
  }
}

extension FileRoot {
  /// Removes the partial file and the proof of a transfer from the folder at `path`, without
  /// creating a `FileRoot`. Does not create the folder. Does nothing if a process has the partial
  /// file open.
  package static func removePartial(_ id: Int64, at path: String) throws(FileFault) {
    let descriptor = Glibc.open(path, folderFlags)
    if descriptor < 0, errno == ENOENT { return }
    guard descriptor >= 0 else { throw FileFault.last(.remove, path) }
    defer { close(descriptor) }
    let hidden = Beneath.open(descriptor, FilePath.hiddenFolder, O_RDONLY | O_DIRECTORY)
    if hidden == -ENOENT { return }
    guard hidden >= 0 else { throw FileFault(.remove, path, .system(-hidden)) }
    defer { close(hidden) }
    PartialFile.whileClosed(String(id), in: hidden) {
      for name in [String(id), PartialFile.proofName(of: String(id))] { unlinkat(hidden, name, 0) }
    }
  }

  /// Removes the partial files and proofs of all transfers that are not in `ids`. Keeps open files.
  package func removePartials(except ids: Set<Int64>) throws(FileFault) {
    let hidden = FilePath.hiddenFolder
    let opened = Beneath.open(folder.descriptor, hidden, FolderStream.flags)
    if opened == -ENOENT { return }
    guard opened >= 0 else { throw FileFault(.list, hidden, .system(-opened)) }
    guard var stream = FolderStream(opened) else { throw FileFault.last(.list, hidden) }
    var left: [Int64] = []
    while let (name, _) = stream.next() {
      let name = String(cString: name)
      let own = PartialFile.name(ofProof: name) ?? name[...]
      if let id = Int64(own), !ids.contains(id) { left.append(id) }
    }
    let open = names.withLock { $0 }
    for id in left where !open.contains(String(id)) { try removePartial(id) }
  }
}

// MARK: Names

extension FileRoot {
  /// Runs `body`, which changes a name in the folder at `path`, under the lock of `names`. Makes
  /// the change durable. `body` receives the descriptor of the folder and the names of open partial
  /// files.
  func change(
    _ path: FilePath, _ deed: FileFault.Deed, _ named: FilePath,
    _ body: (Int32, inout Set<String>) throws(FileFault) -> Void
  ) throws(FileFault) {
    let opened = try folder.folder(path, O_RDONLY, deed, for: named)
    defer { close(opened) }
    try withNames { names throws(FileFault) in try body(opened, &names) }
    // Some file systems cannot sync a folder and report EINVAL.
    guard fsync(opened) == 0 || errno == EINVAL else { throw FileFault.last(deed, named.text) }
  }

  func withNames<T: Sendable>(
    _ body: (inout Set<String>) throws(FileFault) -> T
  ) throws(FileFault) -> T {
    let result = names.withLock { names in
      Result { () throws(FileFault) in try body(&names) }
    }
    return try result.get()
  }

  /// Returns the file that a write or a move to `path` would replace; nil if there is no such file.
  /// Throws if something other than a regular file is at `path`, or if the existing file's name
  /// differs in case.
  func replaceable(
    _ path: FilePath, in folder: Int32, _ deed: FileFault.Deed
  ) throws(FileFault) -> FileFacts? {
    guard let facts = FileFacts(in: folder, path.name) else {
      if errno == ENOENT { return nil }
      throw FileFault.last(deed, path.text)
    }
    switch facts.kind {
    case .file: break
    case .folder: throw FileFault(deed, path.text, .system(EISDIR))
    case .link: throw FileFault(deed, path.text, .system(ELOOP))
    case .other: throw FileFault(deed, path.text, .notRegular)
    }
    if let other = CaseClash.name(of: path.name, facts, in: folder) {
      throw FileFault(deed, path.text, .sameButCase(other))
    }
    return facts
  }

  /// Creates the folder at `path` and its missing parent folders. Does nothing if the folder
  /// exists.
  func makeFolders(_ path: FilePath, for named: FilePath) throws(FileFault) {
    let there = Beneath.open(folder.descriptor, path.text, Beneath.pathOnly | O_DIRECTORY)
    if there >= 0 {
      close(there)
      return
    }
    guard there == -ENOENT, !path.isRoot else {
      throw FileFault(.make, path.text, .system(-there))
    }
    try makeFolders(path.folder, for: named)
    try withinQuota { () throws(FileFault) in
      try change(path.folder, .make, path) { folder, _ throws(FileFault) in
        let use = FileUse(count: 1)
        try reserve(use, .make, path)
        let isMade = mkdirat(folder, path.name, 0o777) == 0
        let code = errno
        settle(use, as: isMade ? use : FileUse())
        guard isMade || code == EEXIST else { throw FileFault(.make, path.text, .system(code)) }
      }
    }
  }

  /// Opens the host's hidden folder and creates it if necessary; the caller must close the returned
  /// descriptor.
  func hiddenFolder() throws(FileFault) -> Int32 {
    let name = FilePath.hiddenFolder
    let existing = Beneath.open(folder.descriptor, name, O_RDONLY | O_DIRECTORY)
    if existing != -ENOENT {
      guard existing >= 0 else { throw FileFault(.make, name, .system(-existing)) }
      return existing
    }
    let refusal = mkdirat(folder.descriptor, name, 0o700) == 0 ? 0 : errno
    if refusal == 0 { fsync(folder.descriptor) }
    let opened = Beneath.open(folder.descriptor, name, O_RDONLY | O_DIRECTORY)
    // The reason why the folder could not be created explains more than "no such file".
    guard opened >= 0 else {
      throw FileFault(.make, name, .system(opened == -ENOENT ? refusal : -opened))
    }
    return opened
  }
}

// MARK: The quota

extension FileRoot {
  /// Runs an operation that may exceed the quota. If it exceeds the quota and other processes may
  /// have removed files, counts the files again and repeats the operation once.
  func withinQuota<T>(_ body: () throws(FileFault) -> T) throws(FileFault) -> T {
    try count(again: false)
    do throws(FileFault) { return try body() } catch {
      guard case .quota = error.reason, isDoubtful.exchange(false, ordering: .relaxed) else {
        throw error
      }
      try count(again: true)
      return try body()
    }
  }

  /// Reserves the bytes and files of `use` in the ledger. Call only within `withinQuota`.
  func reserve(
    _ use: FileUse, _ deed: FileFault.Deed, _ path: FilePath
  ) throws(FileFault) {
    let problem = ledger.withLock { ledger -> FileQuotaProblem? in
      do throws(FileQuotaProblem) { try ledger.reserve(use) } catch { return error }
      return nil
    }
    if let problem { throw FileFault(deed, path.text, .quota(problem)) }
  }

  /// Replaces a reservation in the ledger with the actual change.
  func settle(_ use: FileUse, as change: FileUse) {
    ledger.withLock { $0.settle(use, as: change) }
  }

  private func count(again: Bool) throws(FileFault) {
    if !again, isCounted.load(ordering: .acquiring) { return }
    try withNames { open throws(FileFault) in
      let found = try FileCount.all(in: self, except: open)
      ledger.withLock { $0.recount(found) }
      isCounted.store(true, ordering: .releasing)
    }
  }
}

// MARK: Support for partial files

extension FileRoot {
  /// Returns the number of bytes and files that become free when a new file replaces the existing
  /// file at `path`.
  func credit(of path: FilePath) throws(FileFault) -> FileUse {
    // Usually, the path has no file yet.
    let found = Beneath.open(folder.descriptor, path.text, Beneath.pathOnly | O_NOFOLLOW)
    if found == -ENOENT { return FileUse() }
    if found >= 0 { close(found) }
    let opened = Beneath.open(folder.descriptor, path.folder.text, O_RDONLY | O_DIRECTORY)
    if opened == -ENOENT { return FileUse() }
    guard opened >= 0 else { throw FileFault(.write, path.text, .system(-opened)) }
    defer { close(opened) }
    return try replaceable(path, in: opened, .write)?.use ?? FileUse()
  }

  /// Removes a name from the names of open partial files. Runs `body` under the same lock.
  func forget(_ name: String, _ body: () -> Void) {
    names.withLock { names in
      names.remove(name)
      body()
    }
  }
}
