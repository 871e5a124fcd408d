import CHost
import FetchModel
import FetchValues
import Glibc

/// A regular file that is open for reading until this value is released.
struct RegularFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  let facts: FileFacts

  private static let chunkBytes = 256 << 10

  /// The flags for opening a file. With them, opening a FIFO or a device neither blocks nor
  /// acquires a controlling terminal.
  private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

  /// - Parameter name: the path to show in messages instead of `path`.
  init(beneath folder: Int32, _ path: String, as name: String? = nil) throws(FileFault) {
    try self.init(Beneath.open(folder, path, Self.flags), name ?? path)
  }

  /// Opens a path that the user has granted, and follows symbolic links in it.
  init(following path: String) throws(FileFault) {
    let descriptor = open(path, Self.flags)
    try self.init(descriptor < 0 ? -errno : descriptor, path)
  }

  private init(_ opened: Int32, _ path: String) throws(FileFault) {
    guard opened >= 0 else { throw FileFault(.read, path, .system(-opened)) }
    guard let facts = FileFacts(of: opened) else {
      let fault = FileFault.last(.read, path)
      close(opened)
      throw fault
    }
    guard facts.kind == .file else {
      close(opened)
      throw FileFault(.read, path, .notRegular)
    }
    descriptor = opened
    self.path = path
    self.facts = facts
  }

  deinit { close(descriptor) }

  /// Returns the whole contents; throws if they exceed `bytesMax`.
  func contents(bytesMax: Int) throws(FileFault) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(clamping: min(facts.size, Int64(bytesMax))))
    try eachChunk { chunk throws(FileFault) in
      guard bytes.count + chunk.count <= bytesMax else {
        throw FileFault(.read, path, .larger(than: bytesMax))
      }
      bytes += chunk
    }
    return bytes
  }

  /// Appends up to `countMax` bytes of this file to the partial file. Begins at the offset that
  /// equals the size of the partial file. Returns the number of bytes appended; 0 at the end of
  /// this file.
  func copy(to file: PartialFile, countMax: Int) throws(FileFault) -> Int {
    try file.append(from: descriptor, countMax: countMax)
  }

  /// Copies the contents and the modification time to an empty open file, and makes them durable.
  func copy(to target: Int32) throws(FileFault) {
    var size: Int64 = 0
    while true {
      let count = copy_bytes(descriptor, size, target, size, Self.chunkBytes)
      guard count >= 0 else { throw FileFault(.write, path, .system(Int32(-count))) }
      if count == 0 { break }
      size += count
    }
    let modified = timespec(
      tv_sec: Int(facts.modifiedSeconds), tv_nsec: Int(facts.modifiedNanoseconds))
    guard futimens(target, [modified, modified]) == 0, fsync(target) == 0 else {
      throw FileFault.last(.write, path)
    }
  }

  /// Returns the SHA-256 of the contents. Throws when `isCancelled` returns true.
  func sha256(isCancelled: () -> Bool) throws(FileFault) -> [UInt8] {
    var hash = HashFunction(.sha256)
    try eachChunk { chunk throws(FileFault) in
      if isCancelled() { throw FileFault(.read, path, .cancelled) }
      chunk.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
    return hash.finalize()
  }

  private func eachChunk(
    _ body: (ArraySlice<UInt8>) throws(FileFault) -> Void
  ) throws(FileFault) {
    var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw FileFault.last(.read, path) }
      try body(chunk[..<count])
    }
  }
}
