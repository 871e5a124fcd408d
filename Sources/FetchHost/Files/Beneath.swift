import CHost
import Glibc

/// Opening what lies beneath a folder and nowhere else: no name on the way, and not the last one,
/// may be a symbolic link, so neither a link nor a rename in between leads out.
///
/// One system call where the kernel has openat2; else, or where a container's filter refuses it,
/// the path is walked name by name.
package enum Beneath {
  /// Linux's O_PATH: the right to list a folder is not needed to walk through it.
  package static let pathOnly = open_path_only()

  /// A descriptor, or the negated errno. An empty path is the folder itself. Close-on-exec.
  package static func open(_ folder: Int32, _ path: String, _ flags: Int32, mode: UInt32 = 0)
    -> Int32
  {
    let opened = open_beneath(folder, path.isEmpty ? "." : path, flags, mode)
    guard opened == -ENOSYS || opened == -EPERM || opened == -EAGAIN else { return opened }
    return walk(folder, path, flags, mode: mode)
  }

  /// The same without openat2.
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
      // As openat2 has it: a link is no folder, but what is wrong with it is that it is a link.
      return code == ENOTDIR && isLink(folder, name) ? -ELOOP : -code
    }
  }

  private static func isLink(_ folder: Int32, _ name: String) -> Bool {
    var facts = stat()
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
      && facts.st_mode & S_IFMT == S_IFLNK
  }
}
