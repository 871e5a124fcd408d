import Glibc

/// The names in an open folder, in no particular order. The folder is closed when this value is
/// destroyed.
struct FolderStream: ~Copyable {
  private let stream: OpaquePointer
  /// The errno of the failure that ended the list of names; 0 if all names were read.
  private(set) var code: Int32 = 0

  /// The flags for opening a folder whose names are to be read.
  static let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC

  /// Creates the stream from the descriptor of an open folder, and takes ownership of that
  /// descriptor. On failure, closes the descriptor and returns nil with errno set.
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

  /// The descriptor of the folder, for calls that take a folder and a name in that folder.
  var descriptor: Int32 { dirfd(stream) }

  /// Returns the next name except `.` and `..`, with a NUL at its end. The pointer is valid until
  /// the next call. Returns nil at the end, or after a failure, which `code` reports.
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
