import Glibc

/// The names in an open folder, in no order; closed with this value.
struct FolderStream: ~Copyable {
  private let stream: OpaquePointer
  /// The errno that ended the names; 0 at the regular end.
  private(set) var code: Int32 = 0

  /// The flags for opening a folder whose names are to be read.
  static let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC

  /// Takes ownership of the descriptor. On failure it closes the descriptor and is nil, with errno
  /// set.
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

  /// The descriptor of the folder, for calls that take a name in it.
  var descriptor: Int32 { dirfd(stream) }

  /// Returns the next name except `.` and `..`, with a NUL at its end, valid until the next call.
  /// Returns nil at the end, or after a failure, which `code` reports.
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
