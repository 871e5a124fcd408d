import Foundation

/// A tree of small files of seeded random bytes, with a hundred files in each folder.
struct FileTree {
  static let filesOfAFolder = 100
  static let bytesRange = 100...4_000

  let folder: URL
  let count: Int

  init(count: Int, in folder: URL) throws {
    self.folder = folder
    self.count = count
    var generator = SeededGenerator(4)
    for first in stride(from: 0, to: count, by: Self.filesOfAFolder) {
      let inner = folder.appending(path: "folder \(first / Self.filesOfAFolder)")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      for number in first..<min(first + Self.filesOfAFolder, count) {
        let size = Int.random(in: Self.bytesRange, using: &generator)
        let bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try bytes.write(to: inner.appending(path: "file \(number).bin"))
      }
    }
  }

  /// Throws unless another folder has the same files with the same bytes.
  func isSame(as other: URL) throws {
    let usage = try ChildProcess(
      "diff", ["-rq", "--exclude=.fetchrun-partial", folder.path, other.path]
    ).wait()
    guard usage.exitStatus == 0 else {
      throw BenchmarkError("\(other.path) differs from the source")
    }
  }
}
