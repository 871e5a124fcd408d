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
  struct State {
    var size: Int64
    /// The space that the root's ledger has reserved for this file.
    var reserved: FileUse
    /// Whether the file was placed, removed, or left for a later attempt.
    var isOver = false
  }

  /// The path where the finished file will be placed.
  package let path: FilePath
  let root: FileRoot
  let name: String
  private let descriptor: Int32
  /// The number of bytes and files that become free when this file replaces the existing file at
  /// its path.
  private let credit: FileUse
  // To prevent deadlock, this lock is taken before the lock of the root's names.
  private let state: Mutex<State>

  init(
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

  func withState<T: Sendable>(
    _ body: (inout State) throws(FileFault) -> T
  ) throws(FileFault) -> T {
    try state.withLock { state in
      Result { () throws(FileFault) in try body(&state) }
    }.get()
  }
}
