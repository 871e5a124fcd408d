package import FetchValues
import Glibc

/// The modification time of a file.
package enum FileTime {
  /// Returns the time of the file at that path in whole seconds; nil if it does not exist.
  package static func ofFile(_ path: String) -> Timestamp? {
    var status = stat()
    return stat(path, &status) == 0 ? Timestamp(seconds: Int64(status.st_mtim.tv_sec)) : nil
  }

  /// Sets the time of the file at that path; does nothing if it does not exist.
  package static func set(_ path: String, to time: Timestamp) {
    let nanoseconds = Int(time.milliseconds - time.seconds * 1000) * 1_000_000
    let instant = timespec(tv_sec: Int(time.seconds), tv_nsec: nanoseconds)
    _ = utimensat(AT_FDCWD, path, [instant, instant], 0)
  }
}
