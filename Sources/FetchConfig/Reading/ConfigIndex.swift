import FetchModel
import FetchValues

/// The index of a config file, with the name and the place of each job. With it, a command that
/// names its jobs reads only their entries and the text outside the list of jobs.
///
/// An index fits only the same bytes of the file, read by the same version of the program. It
/// begins with a digest of its own content, so that a damaged index is not used.
enum ConfigIndex {
  /// The part of a config file that a command reads.
  struct Part {
    var text: String
    /// The lines of the file that the text does not have.
    var skipped: SkippedLines
    /// The names of the jobs in the text, in the order of the file.
    var jobs: [JobName]
  }

  /// The maximum number of jobs that a command names to use the index. Each name is compared with
  /// the names of all jobs.
  static let namesMax = 16

  /// The version of the encoding.
  private static let version: Int64 = 1
  /// The version, the program's version, the digest of the file, the size of the text before the
  /// jobs in bytes and in lines, and the entries.
  private static let fieldCount = 6
  /// The name, the size in bytes and in lines, and whether the entry is always read.
  private static let entryFieldCount = 4
  private static let digestBytes = 32

  /// Returns the bytes of the index.
  ///
  /// - Parameter digest: the SHA-256 of the file.
  static func encoded(_ outline: ConfigOutline, digest: [UInt8]) -> [UInt8] {
    var writer = ValueWriter(reserving: outline.entries.count * 32)
    writer.beginArray(count: fieldCount)
    writer.write(version)
    writer.write(Product.version)
    writer.write(bytes: digest)
    writer.write(outline.headByteCount)
    writer.write(outline.headLineCount)
    writer.beginArray(count: outline.entries.count * entryFieldCount)
    for entry in outline.entries {
      writer.write(entry.name.text)
      writer.write(entry.byteCount)
      writer.write(entry.lineCount)
      writer.write(entry.isAlwaysRead)
    }
    return SHA256.hash(data: writer.bytes) + writer.bytes
  }

  /// Returns the part of a file with the named jobs and the jobs that are always read. Returns nil
  /// if the index is damaged, does not fit the file, or lacks a job.
  ///
  /// - Parameter digest: the SHA-256 of the file.
  static func part(
    of file: [UInt8], digest: [UInt8], naming names: Set<JobName>, by index: [UInt8]
  ) -> Part? {
    guard index.count > digestBytes, names.count <= namesMax else { return nil }
    return index.withUnsafeBytes { bytes -> Part? in
      let content = UnsafeRawBufferPointer(rebasing: bytes[digestBytes...])
      guard SHA256.hash(bufferPointer: content).elementsEqual(bytes[..<digestBytes]) else {
        return nil
      }
      var reader = ValueReader(content)
      do throws(ValueError) {
        return try part(of: file, digest, names, &reader)
      } catch { return nil }
    }
  }

  private static func part(
    of file: [UInt8], _ digest: [UInt8], _ names: Set<JobName>, _ reader: inout ValueReader
  ) throws(ValueError) -> Part? {
    try reader.readFields(count: fieldCount, version: version)
    guard try reader.readString() == Product.version,
      try reader.readStringBytes().elementsEqual(digest)
    else { return nil }
    let wanted = names.map { Array($0.text.utf8) }
    var cut = FileCut(file)
    cut.take(try readSize(&reader, atMost: cut.leftCount))
    var jobs: [JobName] = []
    var foundCount = 0
    for _ in 0..<(try reader.readArrayHead() / entryFieldCount) {
      let name = try reader.readStringBytes()
      let size = try readSize(&reader, atMost: cut.leftCount)
      let isAlwaysRead = try reader.readBool()
      let isWanted = wanted.contains { $0.count == name.count && $0.elementsEqual(name) }
      if isWanted { foundCount += 1 }
      if isWanted || isAlwaysRead {
        cut.take(size)
        jobs.append(JobName(String(decoding: name, as: UTF8.self)))
      } else {
        cut.skip(size)
      }
    }
    cut.take((bytes: cut.leftCount, lines: 0))
    guard foundCount == wanted.count, reader.isAtEnd, let text = cut.text else { return nil }
    return Part(text: text, skipped: cut.skipped, jobs: jobs)
  }

  /// Reads a size. It has at most as many lines as bytes.
  private static func readSize(
    _ reader: inout ValueReader, atMost bytesMax: Int
  ) throws(ValueError) -> FileCut.Size {
    let bytes = try reader.readInteger(in: 0...Int64(bytesMax))
    return (bytes, try reader.readInteger(in: 0...Int64(bytes)))
  }
}

/// A text that is cut from the bytes of a file, from the beginning to the end.
private struct FileCut {
  typealias Size = (bytes: Int, lines: Int)

  private let file: [UInt8]
  private var bytes: [UInt8] = []
  private var lineCount = 0
  private(set) var skipped = SkippedLines()
  private var skippedCount = 0
  /// The number of bytes of the file that are left.
  private(set) var leftCount: Int

  init(_ file: [UInt8]) {
    self.file = file
    leftCount = file.count
  }

  /// The text; nil if it is not UTF-8.
  var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Adds the next bytes of the file. There must be enough bytes left.
  mutating func take(_ size: Size) {
    skipped.note(skippedCount, before: lineCount + 1)
    let start = file.count - leftCount
    bytes += file[start..<start + size.bytes]
    lineCount += size.lines
    leftCount -= size.bytes
  }

  /// Leaves out the next bytes of the file. There must be enough bytes left.
  mutating func skip(_ size: Size) {
    skippedCount += size.lines
    leftCount -= size.bytes
  }
}
