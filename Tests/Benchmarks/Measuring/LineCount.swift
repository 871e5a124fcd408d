import Foundation

/// The number of lines of a growing file. Lines that have been counted are not read again.
struct LineCount {
  private let path: String
  private var offset: UInt64 = 0
  private(set) var count = 0

  init(of file: URL) { path = file.path }

  mutating func update() throws {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw BenchmarkError("\(path) is missing")
    }
    defer { try? file.close() }
    try file.seek(toOffset: offset)
    let bytes = try file.readToEnd() ?? Data()
    offset += UInt64(bytes.count)
    count += bytes.count { $0 == UInt8(ascii: "\n") }
  }
}
