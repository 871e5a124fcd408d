package import FetchValues
import Glibc

/// The modification time of a file.
package enum FileTime {
  /// Returns the modification time of the file at a path, in whole seconds; nil if there is no
  /// file.
  package static func ofFile(_ path: String) -> Timestamp? {
    var status = stat()
    return stat(path, &status) == 0 ? Timestamp(seconds: Int64(status.st_mtim.tv_sec)) : nil
  }

  /// Sets the modification time of the file at a path; does nothing if there is no file.
  package static func set(_ path: String, to time: Timestamp) {
    let nanoseconds = Int(time.milliseconds - time.seconds * 1000) * 1_000_000
    let instant = timespec(tv_sec: Int(time.seconds), tv_nsec: nanoseconds)
    _ = utimensat(AT_FDCWD, path, [instant, instant], 0)
  }
}
