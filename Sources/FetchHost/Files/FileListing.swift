package import FetchModel
package import FetchValues
import Glibc

/// The contents of a folder, sorted by the bytes of the paths.
///
/// All paths are in one array of bytes, so a list of a hundred thousand entries needs no allocation
/// for each path.
package struct FileListing: Sendable {
  package struct Entry: Sendable {
    fileprivate let pathStart: Int
    fileprivate let pathCount: Int
    package let kind: FileKind
    /// The size of a file in bytes; 0 for folders, links and other kinds.
    package let size: Int64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: Int64
    /// The reason why a plugin cannot use the entry or, for a folder, its contents; nil if there is
    /// no problem.
    package fileprivate(set) var problem: String?

    package var modified: Timestamp {
      Timestamp(
        milliseconds: modifiedSeconds &* 1000 &+ modifiedNanoseconds / 1_000_000)
    }
  }

  package private(set) var entries: [Entry] = []
  private var paths: [UInt8] = []

  /// The maximum number of entries. As Lua tables, more entries would not fit into a run's memory.
  package static let entriesMax = 100_000
  /// The maximum total size of the paths of one list, in bytes.
  package static let pathsBytesMax = 16 << 20
  static let excess =
    "the folder has more than \(entriesMax) entries, or their paths have more than "
    + "\(pathsBytesMax >> 20) MiB in total"

  init() {}

  /// Calls `body` with the entry's path in UTF-8. The path is relative to the `FileFolder` that
  /// made the list, not to the listed folder.
  package func withPath<T>(of entry: Entry, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    paths.withUnsafeBytes { paths in
      body(
        UnsafeRawBufferPointer(
          rebasing: paths[entry.pathStart..<entry.pathStart + entry.pathCount]))
    }
  }

  package func path(of entry: Entry) -> String {
    withPath(of: entry) { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: Building a list

extension FileListing {
  /// Adds an entry. Returns false if this makes the list exceed a limit.
  mutating func add(
    _ name: UnsafeRawBufferPointer, in folder: String, _ facts: FileFacts
  ) -> Bool {
    let start = paths.count
    if !folder.isEmpty {
      paths.append(contentsOf: folder.utf8)
      paths.append(UInt8(ascii: "/"))
    }
    var problem: String?
    if UTF8Check.firstInvalid(in: name) == nil {
      paths.append(contentsOf: name)
    } else {
      paths.append(contentsOf: String(decoding: name, as: UTF8.self).utf8)
      problem = "its name is not UTF-8"
    }
    let count = paths.count - start
    if count > FilePath.pathBytesMax {
      problem = "its path is longer than \(FilePath.pathBytesMax) bytes"
    }
    entries.append(
      Entry(
        pathStart: start, pathCount: count, kind: facts.kind, size: facts.size,
        modifiedSeconds: facts.modifiedSeconds, modifiedNanoseconds: facts.modifiedNanoseconds,
        problem: problem))
    return entries.count <= Self.entriesMax && paths.count <= Self.pathsBytesMax
  }

  mutating func note(_ problem: String, at index: Int) { entries[index].problem = problem }

  mutating func sort() {
    paths.withUnsafeBytes { paths in
      guard let base = paths.baseAddress else { return }
      entries.sort { left, right in
        let order = memcmp(
          base + left.pathStart, base + right.pathStart, min(left.pathCount, right.pathCount))
        return order == 0 ? left.pathCount < right.pathCount : order < 0
      }
    }
  }
}

/// The names in an open folder, in no particular order. The folder is closed when this value is
/// destroyed.
struct FolderStream: ~Copyable {
  private let stream: OpaquePointer
  /// The errno of the failure that ended the list of names; 0 if there was no failure.
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
