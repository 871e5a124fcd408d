import FetchHost
import FetchModel
import FetchValues

/// The encoded results of the functions of Lua's module `files`.
enum FilesAnswer {
  /// Returns a list of tables with `path`, `kind`, `size` and `modified`, and with `problem` if the
  /// entry has one.
  static func list(_ listing: FileListing) -> HostCallAnswer {
    var writer = ValueWriter(reserving: 64 + listing.entries.count * 128)
    writer.beginArray(count: 1)
    writer.beginArray(count: listing.entries.count)
    for entry in listing.entries {
      writer.beginObject(count: entry.problem == nil ? 4 : 5)
      writer.write("path" as StaticString)
      listing.withPath(of: entry) { writer.write(bytes: $0) }
      write(entry.kind, entry.size, entry.modified, to: &writer)
      guard let problem = entry.problem else { continue }
      writer.write("problem" as StaticString)
      writer.write(problem)
    }
    return .returns(writer.bytes)
  }

  /// Returns the table of one entry. Returns nil to Lua if there is no entry.
  static func entry(_ entry: FileEntry?) -> HostCallAnswer {
    guard let entry else { return .values([.null]) }
    var writer = ValueWriter()
    writer.beginArray(count: 1)
    writer.beginObject(count: 4)
    writer.write("path" as StaticString)
    writer.write(entry.path)
    write(entry.kind, entry.size, entry.modified, to: &writer)
    return .returns(writer.bytes)
  }

  static func text(_ bytes: [UInt8]) -> HostCallAnswer {
    var writer = ValueWriter(reserving: bytes.count + 16)
    writer.beginArray(count: 1)
    writer.write(bytes: bytes)
    return .returns(writer.bytes)
  }

  static func hash(_ hash: [UInt8]) -> HostCallAnswer {
    .values([.string(Hexadecimal.text(of: hash))])
  }

  /// Returns a list of hashes, with `false` for each entry without a hash.
  static func hashes(_ hashes: [[UInt8]?]) -> HostCallAnswer {
    .values([.array(hashes.map { $0.map { .string(Hexadecimal.text(of: $0)) } ?? .bool(false) })])
  }

  private static func write(
    _ kind: FileKind, _ size: Int64, _ modified: Timestamp, to writer: inout ValueWriter
  ) {
    writer.write("kind" as StaticString)
    writer.write(kind.rawValue)
    writer.write("size" as StaticString)
    writer.write(size)
    writer.write("modified" as StaticString)
    // RFC 3339 cannot express years before 0 or after 9999. Nobody has set such a time on purpose.
    writer.writeOptional(modified.rfc3339)
  }
}
