import FetchModel
import FetchValues
import Glibc

/// The opening and locking of the files of `file` hooks. The files must be regular files: opening a
/// named pipe without a reader blocks, and opening a device can have any effect.
enum SinkFile {
  /// Opens a file; returns nil, with errno set, if it cannot be opened. Throws if the path exists
  /// and is not a regular file.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0
  ) throws(DeliveryFailure) -> Int32? {
    // Checks before opening, because opening alone has an effect on some devices.
    try refuseOther(at: path)
    let file = Glibc.open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
    guard file >= 0 else { return nil }
    if let facts = FileFacts(of: file), facts.kind != .file {
      close(file)
      throw refusal(path, facts)
    }
    return file
  }

  /// Throws if the path exists and is not a regular file.
  static func refuseOther(at path: String) throws(DeliveryFailure) {
    if let facts = FileFacts(at: path), facts.kind != .file { throw refusal(path, facts) }
  }

  private static func refusal(_ path: String, _ facts: FileFacts) -> DeliveryFailure {
    DeliveryFailure(
      "\(path) is \(facts.kindText), but a file hook writes only regular files; give its `file` "
        + "another path, or use a `command`")
  }

  /// Waits for the lock of a file or folder. Another process may write to the same file, and a hook
  /// may reach the file by another path. Returns false if the file or folder cannot be locked, for
  /// example because the file system has no locks.
  @discardableResult
  static func lock(_ descriptor: Int32) -> Bool {
    while true {
      if flock(descriptor, LOCK_EX) == 0 { return true }
      if errno != EINTR { return false }
    }
  }

  // MARK: New files

  private static let newStart = ".fetchrun-feed-"
  private static let newEnd = ".new"

  /// Returns a name for a temporary file. The name cannot be guessed.
  static func newName() -> String {
    newStart + Hexadecimal.text(of: (0..<16).map { _ in UInt8.random(in: 0 ... .max) }) + newEnd
  }

  static func isNew(_ name: String) -> Bool { name.hasPrefix(newStart) && name.hasSuffix(newEnd) }
}
