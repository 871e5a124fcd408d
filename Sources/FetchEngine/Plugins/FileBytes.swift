import FetchValues

#if canImport(Glibc)
  import Glibc
#endif

/// The functions that read whole small files and examine paths. They do not use Foundation.
package enum FileBytes {
  /// Returns the bytes of a regular file of at most `max` bytes, or the problem.
  ///
  /// - Parameter isOwn: whether the file must be one that only this user can change, and not a link.
  package static func read(
    _ path: String, max: Int, isOwn: Bool = false
  ) -> Result<[UInt8], FileProblem> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0))
    guard descriptor >= 0 else { return .failure(.system(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(.system(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .failure(.notAFile) }
    if isOwn, status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      return .failure(.system(EPERM))
    }
    guard status.st_size <= max else { return .failure(.tooLarge(max)) }
    // If `max` is a real limit, the buffer has one byte more than the file. The end of the file is
    // then found without a larger buffer.
    var bytes = [UInt8](repeating: 0, count: max < Int.max ? Int(status.st_size) + 1 : 0)
    var count = 0
    while true {
      if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: 4096)) }
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return .failure(.system(errno)) }
      if got == 0 { break }
      count += got
      guard count <= max else { return .failure(.tooLarge(max)) }
    }
    bytes.removeSubrange(count...)
    return .success(bytes)
  }

  /// Whether the path is a regular file or a link to a regular file.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func isProgram(_ path: String) -> Bool { exists(path) && access(path, X_OK) == 0 }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder, including `.` and `..`, in no particular order. The list is
  /// empty if the folder cannot be opened.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
            String(cString: $0)
          }
        })
    }
    return names
  }

  /// Returns the absolute path with links resolved; nil if the path cannot be resolved, for example
  /// because it does not exist.
  package static func absolute(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// The reason why a file could not be read.
package enum FileProblem: Error, Equatable {
  case system(Int32)
  case notAFile
  case tooLarge(Int)
}

extension FileProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .notAFile: "not a file"
    case .tooLarge(let max): "larger than \(max) bytes"
    }
  }
}
