import CHost
import Glibc

/// The functions that open paths beneath a folder and nowhere else. No name in the path may be a
/// symbolic link, so neither a link nor a concurrent rename can lead out of the folder.
///
/// Opening takes one system call with openat2. The folders on the path are opened one by one if
/// openat2 reports ENOSYS, EPERM or EAGAIN. An old kernel, a container's filter or a concurrent
/// rename can cause these errors.
package enum Beneath {
  /// Linux's O_PATH. It opens a folder only for use in paths, even without the right to list the
  /// folder.
  package static let pathOnly = open_path_only()

  /// Opens a path and returns a descriptor that is closed on exec, or the negated errno. An empty
  /// path opens the folder itself.
  package static func open(_ folder: Int32, _ path: String, _ flags: Int32, mode: UInt32 = 0)
    -> Int32
  {
    let opened = open_beneath(folder, path.isEmpty ? "." : path, flags, mode)
    guard opened == -ENOSYS || opened == -EPERM || opened == -EAGAIN else { return opened }
    return walk(folder, path, flags, mode: mode)
  }

  /// Opens a path like `open`, but without openat2.
  package static func walk(_ start: Int32, _ path: String, _ flags: Int32, mode: UInt32) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard !names.contains("..") else { return -EXDEV }
    guard let last = names.last else { return opened(start, ".", flags, mode) }
    var folder = start
    defer { if folder != start { close(folder) } }
    for name in names.dropLast() {
      let inner = opened(folder, name, pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
      if inner < 0 { return inner }
      if folder != start { close(folder) }
      folder = inner
    }
    return opened(folder, last, flags, mode)
  }

  private static func opened(
    _ folder: Int32, _ name: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    while true {
      let descriptor = openat(folder, name, flags, mode)
      if descriptor >= 0 { return descriptor }
      let code = errno
      if code == EINTR { continue }
      // Reports ELOOP for a link, as openat2 does, instead of ENOTDIR ("not a folder").
      return code == ENOTDIR && isLink(folder, name) ? -ELOOP : -code
    }
  }

  private static func isLink(_ folder: Int32, _ name: String) -> Bool {
    var facts = stat()
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
      && facts.st_mode & S_IFMT == S_IFLNK
  }
}
