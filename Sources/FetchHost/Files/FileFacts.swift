import CHost
import FetchModel
package import FetchValues
import Glibc

/// The metadata of one directory entry or open file.
struct FileFacts {
  private let status: stat

  private init(_ status: stat) { self.status = status }

  /// Reads the metadata of an open file; on failure, returns nil with errno set.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.status = status
  }

  /// Reads the metadata of a name in a folder, without following a link; on failure, returns nil
  /// with errno set.
  init?(in folder: Int32, _ name: UnsafePointer<CChar>) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.status = status
  }

  /// Reads the metadata of the target of a path, following links; on failure, returns nil with
  /// errno set.
  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var kind: FileKind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  var kindText: String {
    switch status.st_mode & S_IFMT {
    case S_IFREG: "a regular file"
    case S_IFDIR: "a folder"
    case S_IFLNK: "a link"
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something unknown"
    }
  }

  /// The size of a regular file in bytes; 0 for folders, links and other kinds.
  var size: Int64 { kind == .file ? Int64(status.st_size) : 0 }

  var modifiedSeconds: Int64 { Int64(status.st_mtim.tv_sec) }
  var modifiedNanoseconds: Int64 { Int64(status.st_mtim.tv_nsec) }

  var modified: Timestamp {
    Timestamp(milliseconds: modifiedSeconds &* 1000 &+ modifiedNanoseconds / 1_000_000)
  }

  var node: ino_t { status.st_ino }

  func isSameFile(as other: FileFacts) -> Bool {
    status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
  }

  /// The number of bytes and files that this entry takes from the folder's quota.
  var use: FileUse { FileUse(bytes: size, count: 1) }
}

/// The functions that read and set the modification time of a file.
package enum FileTime {
  /// Returns the modification time of the file at a path, in whole seconds; nil if the file does
  /// not exist or cannot be examined.
  package static func ofFile(_ path: String) -> Timestamp? {
    var status = stat()
    return stat(path, &status) == 0 ? Timestamp(seconds: Int64(status.st_mtim.tv_sec)) : nil
  }

  /// Sets the modification time and the access time of the file at a path; does nothing on failure.
  package static func set(_ path: String, to time: Timestamp) {
    let nanoseconds = Int(time.milliseconds - time.seconds * 1000) * 1_000_000
    let instant = timespec(tv_sec: Int(time.seconds), tv_nsec: nanoseconds)
    _ = utimensat(AT_FDCWD, path, [instant, instant], 0)
  }
}
