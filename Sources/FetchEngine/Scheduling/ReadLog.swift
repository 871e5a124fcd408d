package import FetchValues
import Glibc

/// The log of the times at which people read a store. It has one line for each read, with the job
/// in JSON if only one job was read. The file is beside the store, so that a reader needs no right
/// to write the store itself.
package struct ReadLog: Sendable {
  private let path: String
  /// The file of a process that may write only in the folder of the web process.
  private let webPath: String

  /// The maximum size of the file in bytes. It is more than the reader habits need. When the file
  /// is full, further reads are not noted.
  private static let bytesMax = 1 << 20

  package init(_ state: StateFolder) {
    path = state.readLog
    webPath = state.webFolder + "/reads"
  }

  /// Notes a read. Ignores errors, since a read must not fail because it cannot be noted.
  package func note(_ job: JobName?, at now: Timestamp) {
    var descriptor = Self.open(path)
    if descriptor < 0, errno == EACCES { descriptor = Self.open(webPath) }
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size < Self.bytesMax else { return }
    let name = job.flatMap { try? JSONWriter.text(.string($0.text)) }.map { " " + $0 } ?? ""
    let line = Array("\(now.seconds)\(name)\n".utf8)
    _ = write(descriptor, line, line.count)
  }

  private static func open(_ path: String) -> Int32 {
    Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Removes and returns the noted reads, sorted by time.
  func take() -> [Read] { (Self.take(path) + Self.take(webPath)).sorted { $0.at < $1.at } }

  private static func take(_ path: String) -> [Read] {
    let taken = path + ".taken"
    if access(taken, F_OK) != 0, rename(path, taken) != 0 { return [] }
    defer { unlink(taken) }
    guard case .success(let bytes) = FileBytes.read(taken, max: 2 * bytesMax) else {
      return []
    }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap(read)
  }

  private static func read(_ line: ArraySlice<UInt8>) -> Read? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let seconds = Int64(String(decoding: first, as: UTF8.self)),
      (0...1 << 40).contains(seconds)
    else { return nil }
    var read = Read(at: Timestamp(seconds: seconds))
    if parts.count > 1 {
      guard let job = try? JSONReader.decode(Array(parts[1])).stringValue else { return nil }
      read.job = JobName(job)
    }
    return read
  }
}
