import FetchModel
import Glibc

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
