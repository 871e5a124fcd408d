import FetchHost
import FetchModel
import FetchValues
import Glibc

/// The results of plugin inspections, in one small file each. A plugin with a valid entry needs no
/// worker process before its first run.
///
/// The cache only saves work. Entries that cannot be read or written count as missing. The content
/// of an entry is validated as strictly as a worker's answer. An entry that another user could have
/// written is not used: it would choose what a plugin asks for.
package struct ManifestCache: Sendable {
  private let folder: String
  /// The identity of the program that inspects plugins. It is part of each entry's key.
  private let maker: [UInt8]

  /// The maximum number of files. If the folder has this number of files, all of them are removed
  /// before the next entry is written. Most of them are probably from old versions of plugins.
  private static let filesMax = 1000
  private static let fileBytesMax = RunLimits.sourceBytesMax
  private static let digestBytes = 32

  /// Creates a cache in the folder. `worker` is the path of the worker program. Results of another
  /// worker program are not used, since it may read the same text differently.
  package init(folder: String, worker: String) {
    self.folder = folder
    var status = stat()
    stat(worker, &status)
    var writer = ValueWriter()
    writer.write(Product.version)
    writer.write(Int64(status.st_size))
    writer.write(Int64(bitPattern: UInt64(status.st_ino)))
    // A copy over the file keeps the inode.
    writer.write(Int64(status.st_mtim.tv_sec))
    writer.write(Int64(status.st_mtim.tv_nsec))
    maker = writer.bytes
  }

  func table(of source: PluginSource) -> Value? { table(at: path(of: source)) }

  private func table(at path: String) -> Value? {
    guard case .success(let bytes) = FileBytes.read(path, max: Self.fileBytesMax, isOwn: true),
      bytes.count > Self.digestBytes
    else { return nil }
    let content = Array(bytes.dropFirst(Self.digestBytes))
    guard SHA256.hash(data: content).elementsEqual(bytes.prefix(Self.digestBytes)) else {
      return nil
    }
    return try? Value(encoded: content)
  }

  func keep(_ table: Value, of source: PluginSource) { keep(table, at: path(of: source)) }

  // MARK: Texts that do not load

  /// The age, in seconds, from which a recorded failure is ignored and the text is inspected again.
  private static let failureSecondsMax: Int64 = 86_400

  /// Returns the failure if the text failed to load at an attempt within the last day; nil if the
  /// text must be tried. The cache keeps only failures of texts that used up their CPU time, since
  /// other failures are found again quickly.
  func failure(of source: PluginSource) -> Failure? {
    let path = path(of: source) + Self.failureSuffix
    let age = FileTime.ofFile(path).map { SystemClock.now().seconds - $0.seconds } ?? -1
    guard (0..<Self.failureSecondsMax).contains(age), let table = table(at: path),
      let message = table["message"]?.stringValue
    else { return nil }
    let line = table["line"]?.integerValue.map { Int(clamping: $0) }
    return Failure(.cpuLimit, message, file: table["file"]?.stringValue, line: line)
  }

  func keep(_ failure: Failure, of source: PluginSource) {
    guard failure.code == .cpuLimit else { return }
    let table: Value = [
      "message": .string(failure.message), "file": failure.file.map { .string($0) } ?? .null,
      "line": failure.line.map { .integer(Int64($0)) } ?? .null,
    ]
    keep(table, at: path(of: source) + Self.failureSuffix)
  }

  private static let failureSuffix = ".failure"

  // MARK: Files

  private func keep(_ table: Value, at path: String) {
    makeRoom()
    var writer = ValueWriter()
    writer.write(table)
    // The file is written under a temporary name, so that no process reads half a file.
    let unfinished = "\(path).\(getpid())"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = SHA256.hash(data: writer.bytes) + writer.bytes
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    if written != bytes.count || rename(unfinished, path) != 0 { unlink(unfinished) }
  }

  private func path(of source: PluginSource) -> String {
    let digest = SHA256.hash(data: source.contentHash + maker)
    return folder + "/" + Hexadecimal.text(of: Array(digest.prefix(16)))
  }

  private func makeRoom() {
    makeFolder(folder)
    guard let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix(while: { $0 != 0 }), as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    guard names.count >= Self.filesMax else { return }
    for name in names { unlink(folder + "/" + name) }
  }

  private func makeFolder(_ path: String) {
    guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastSlash else {
      return
    }
    makeFolder(String(path[..<slash]))
    mkdir(path, 0o700)
  }
}
