import FetchModel
import FetchValues
import Glibc

/// What a `file` hook opens: regular files only. The reader of a named pipe that nobody reads would be
/// waited for, and a device may do anything.
enum SinkFile {
  /// Opened without waiting; nil with errno set.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0
  ) throws(DeliveryFailure) -> Int32? {
    // Before it is opened: that alone makes some devices act.
    try refuseOther(at: path)
    let file = Glibc.open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
    guard file >= 0 else { return nil }
    if let facts = FileFacts(of: file), facts.kind != .file {
      close(file)
      throw refusal(path, facts)
    }
    return file
  }

  /// Throws where there is something else than a regular file.
  static func refuseOther(at path: String) throws(DeliveryFailure) {
    if let facts = FileFacts(at: path), facts.kind != .file { throw refusal(path, facts) }
  }

  private static func refusal(_ path: String, _ facts: FileFacts) -> DeliveryFailure {
    DeliveryFailure(
      "\(path) is \(facts.kindText), and a file hook writes regular files only; give its 'file' "
        + "another path, or write there with a 'command'")
  }

  /// Waits until no other descriptor has the lock of it: one file may have several paths, and another
  /// process may write it. False where the file system has no locks.
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

  /// The name under which a feed is written before it gets its own, which nobody can guess.
  static func newName() -> String {
    newStart + Hexadecimal.text(of: (0..<16).map { _ in UInt8.random(in: 0 ... .max) }) + newEnd
  }

  static func isNew(_ name: String) -> Bool { name.hasPrefix(newStart) && name.hasSuffix(newEnd) }
}
