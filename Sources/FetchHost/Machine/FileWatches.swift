import FetchModel
import FetchValues
import Glibc
import Synchronization

/// The inotify instance behind a `FileWatcher`.
final class FileWatches: Sendable {
  private let descriptor: Int32
  private let paths: [String]
  private let count = Atomic<Int>(0)

  /// The events of a name in a folder that is created, removed or moved, and of a folder that is
  /// removed or moved itself.
  private static let names = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
  /// The events of a watched file, or a file in a watched folder, that is written.
  private static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
  /// IN_MASK_ADD, which adds events to an existing watch, because one folder may be watched for
  /// several paths.
  private static let adding: UInt32 = 0x2000_0000

  init(_ paths: [String]) throws(FileWatcher.Refused) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    self.paths = paths
    guard descriptor >= 0 else {
      throw FileWatcher.Refused(
        message: "files cannot be watched: \(String(cString: strerror(errno)))"
          + "; raise the kernel's limit with `sysctl fs.inotify.max_user_instances=1024`")
    }
    if let code = renew() {
      throw FileWatcher.Refused(
        message: "\(paths.count) files cannot be watched: \(String(cString: strerror(code)))"
          + "; raise the kernel's limit with `sysctl fs.inotify.max_user_watches=1048576`")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The number of events so far.
  var eventCount: Int { count.load(ordering: .acquiring) }

  /// Waits for events and discards their contents; returns false if the thread must end.
  func wait(_ stop: ThreadStop) -> Bool {
    var watched = [descriptor, stop.wake.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while !stop.isAsked {
      _ = poll(&watched, nfds_t(watched.count), -1)
      if stop.isAsked { break }
      guard watched[0].revents != 0 else { continue }
      while read(descriptor, &bytes, bytes.count) > 0 {}
      count.add(1, ordering: .acquiringAndReleasing)
      return true
    }
    return false
  }

  /// Watches each path, the folder that contains it, and the folder that contains the target of a
  /// link. For a missing folder, watches the nearest existing folder above. Returns the error if
  /// the system has no watches left.
  @discardableResult
  func renew() -> Int32? {
    for path in paths {
      let isFull =
        add(path, Self.names | Self.content) == ENOSPC
        || add(existingFolder(of: path), Self.names) == ENOSPC
      if isFull { return ENOSPC }
      guard let real = Self.resolved(path), real != path else { continue }
      if add(existingFolder(of: real), Self.names) == ENOSPC { return ENOSPC }
    }
    return nil
  }

  private func add(_ path: String, _ mask: UInt32) -> Int32 {
    inotify_add_watch(descriptor, path, mask | Self.adding) >= 0 ? 0 : errno
  }

  private func existingFolder(of path: String) -> String {
    var folder = Self.folder(of: path)
    while access(folder, F_OK) != 0, folder != "/", folder != "." {
      folder = Self.folder(of: folder)
    }
    return folder
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
