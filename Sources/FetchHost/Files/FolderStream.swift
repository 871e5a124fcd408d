import Glibc

/// The names in an open folder, in no order; closed with this value.
struct FolderStream: ~Copyable {
  private let stream: OpaquePointer
  /// The errno that the names ended with; 0 when there are no more.
  private(set) var code: Int32 = 0

  /// What a folder is opened with for its names.
  static let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC

  /// Takes the descriptor over, or closes it and is nil, with errno set.
  init?(_ descriptor: Int32) {
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// For what takes a name in the folder.
  var descriptor: Int32 { dirfd(stream) }

  /// The next name but `.` and `..`, with a NUL at its end, as long as the next call is not made; nil
  /// at the end, or after a failure that `code` tells.
  mutating func next() -> (name: UnsafePointer<CChar>, count: Int)? {
    while true {
      errno = 0
      guard let entry = readdir(stream),
        let offset = MemoryLayout<dirent>.offset(of: \.d_name)
      else {
        code = errno
        return nil
      }
      let name = UnsafeRawPointer(entry).advanced(by: offset)
        .assumingMemoryBound(to: CChar.self)
      let count = strlen(name)
      let isDots = name[0] == 46 && (count == 1 || (count == 2 && name[1] == 46))
      if !isDots { return (name, count) }
    }
  }
}
