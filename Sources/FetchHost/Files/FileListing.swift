package import FetchModel
package import FetchValues
import Glibc

/// The contents of a folder, sorted by the bytes of the paths.
///
/// All paths are in one array of bytes, so a list of a hundred thousand entries needs only two
/// allocations.
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
  /// The maximum size of all paths of one list together.
  package static let pathsBytesMax = 16 << 20
  static let excess =
    "the folder has more than \(entriesMax) entries, or names of more than "
    + "\(pathsBytesMax >> 20) MiB"

  init() {}

  /// Calls `body` with the entry's path relative to the listed folder, in UTF-8.
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
  /// Adds an entry; returns false when the list is full.
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
