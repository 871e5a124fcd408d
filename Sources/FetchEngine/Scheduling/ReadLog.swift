package import FetchValues
import Glibc

/// The times at which people read a store: one line for each read, with the job in JSON if it was
/// of one job. The file is beside the store, so that a reader needs no right to write the store
/// itself.
package struct ReadLog: Sendable {
  private let path: String

  /// More than reader habits need; later reads are not noted.
  private static let bytesMax = 1 << 20

  package init(_ state: StateFolder) { path = state.readLog }

  /// Notes a read. Errors are ignored: a read must not fail because it cannot be noted.
  package func note(_ job: String?, at now: Timestamp) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size < Self.bytesMax else { return }
    let name = job.flatMap { try? JSONWriter.text(.string($0)) }.map { " " + $0 } ?? ""
    let line = Array("\(now.seconds)\(name)\n".utf8)
    _ = write(descriptor, line, line.count)
  }

  /// Returns the reads since the previous call, sorted, and removes them here.
  func take() -> [Read] {
    let taken = path + ".taken"
    if access(taken, F_OK) != 0, rename(path, taken) != 0 { return [] }
    defer { unlink(taken) }
    guard case .success(let bytes) = FileBytes.read(taken, max: 2 * Self.bytesMax) else {
      return []
    }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap(Self.read)
      .sorted { $0.at < $1.at }
  }

  private static func read(_ line: ArraySlice<UInt8>) -> Read? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let seconds = Int64(String(decoding: first, as: UTF8.self)),
      (0...1 << 40).contains(seconds)
    else { return nil }
    var read = Read(at: Timestamp(seconds: seconds))
    if parts.count > 1 {
      guard let job = try? JSONReader.decode(Array(parts[1])).stringValue else { return nil }
      read.job = job
    }
    return read
  }
}
