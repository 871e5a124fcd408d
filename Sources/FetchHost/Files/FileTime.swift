package import FetchValues
import Glibc

/// When a file says it was changed last.
package enum FileTime {
  /// Of the file at that path, in whole seconds; nil where there is none.
  package static func ofFile(_ path: String) -> Timestamp? {
    var status = stat()
    return stat(path, &status) == 0 ? Timestamp(seconds: Int64(status.st_mtim.tv_sec)) : nil
  }

  /// Of the file at that path; nothing happens where there is none.
  package static func set(_ path: String, to time: Timestamp) {
    let nanoseconds = Int(time.milliseconds - time.seconds * 1000) * 1_000_000
    let instant = timespec(tv_sec: Int(time.seconds), tv_nsec: nanoseconds)
    _ = utimensat(AT_FDCWD, path, [instant, instant], 0)
  }
}
