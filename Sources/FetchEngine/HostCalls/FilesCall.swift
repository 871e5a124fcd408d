import FetchHost
import FetchModel
import FetchValues

/// A call of a function of the module `files`, read from a worker's arguments.
struct FilesCall: Sendable {
  enum Deed: String, CaseIterable {
    case list
    case stat
    case read
    case write
    case remove
    case move
    case sha256
    case digest
    case folder

    /// Whether the call is allowed in a folder that is granted for reading only.
    var onlyReads: Bool {
      switch self {
      case .list, .stat, .read, .sha256, .digest, .folder: true
      case .write, .remove, .move: false
      }
    }

    /// Whether the call's path may be the folder itself.
    var takesRoot: Bool { self == .list || self == .digest || self == .folder }
  }

  var deed: Deed
  var path = FilePath.root
  /// The paths in the list of a call of `sha256`, with nil for each invalid path. Nil for a call
  /// without a list.
  var paths: [FilePath?]?
  /// The destination of `move`.
  var target = FilePath.root
  var text: [UInt8] = []
  var isRecursive = false
  /// The path of the folder that the call names, for which the job needs a grant; nil for the job's
  /// own folder.
  var folder: String?

  /// The paths that the call creates, replaces or removes.
  var changed: [FilePath] {
    switch deed {
    case .write, .remove: [path]
    case .move: [path, target]
    case .list, .stat, .read, .sha256, .digest, .folder: []
    }
  }

  private static let prefix = "files."
  /// The maximum number of paths in the list of one call.
  static let pathsMax = 10_000

  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// Reads the call's argument, a table. Throws `refused` for a string that is not a valid path,
  /// and for a missing path, unless `takesRoot` is true. The plugin may handle this failure. In the
  /// list of `sha256`, each invalid entry becomes nil instead. Throws `misuse` for mistakes in the
  /// code of the call, such as a path that is a number.
  init(_ call: HostCall) throws(FilesCallProblem) {
    guard let deed = Deed(rawValue: String(call.name.dropFirst(Self.prefix.count))) else {
      throw .misuse("unknown host call '\(call.name)'")
    }
    self.deed = deed
    guard let table = try? call.values().first?.objectValue else {
      throw .misuse("\(call.name): the argument must be a table")
    }
    folder = try Self.text(table["root"], call.name, "root")
    if folder != nil, !deed.onlyReads {
      throw .misuse("\(call.name) is not possible in a folder that is granted only for reading")
    }
    if deed == .sha256, let list = table["paths"]?.arrayValue {
      guard list.count <= Self.pathsMax else {
        throw .misuse(
          "\(call.name): the list has more than \(Self.pathsMax) paths; make several calls")
      }
      paths = list.map { $0.stringValue.flatMap { try? FilePath($0) } }
      return
    }
    path = try path(table["path"], "path", call.name)
    guard deed != .folder || folder != nil else { throw .misuse("\(call.name): root expected") }
    if deed == .move { target = try path(table["to"], "to", call.name) }
    if deed == .write { text = try Self.bytes(table["text"], call.name) }
    isRecursive = table["recursive"]?.boolValue ?? false
  }

  private func path(
    _ value: Value?, _ key: String, _ name: String
  ) throws(FilesCallProblem) -> FilePath {
    let text: String
    switch value {
    case .string(let string): text = string
    case .bytes(let bytes):
      let shown = String(decoding: bytes, as: UTF8.self)
      throw .refused(FilePathProblem(path: shown, reason: .notUTF8).failure)
    case nil, .null: text = ""
    default: throw .misuse("\(name): \(key) must be a string")
    }
    if text.isEmpty, deed.takesRoot { return .root }
    do throws(FilePathProblem) { return try FilePath(text) } catch {
      throw .refused(error.failure)
    }
  }

  private static func text(
    _ value: Value?, _ name: String, _ key: String
  ) throws(FilesCallProblem) -> String? {
    switch value {
    case nil, .null: return nil
    case .string(let text): return text
    case .bytes(let bytes):
      let shown = String(decoding: bytes, as: UTF8.self)
      throw .refused(Failure(.fileAccess, "the path '\(shown)' is not UTF-8"))
    default: throw .misuse("\(name): \(key) must be a string")
    }
  }

  private static func bytes(
    _ value: Value?, _ name: String
  ) throws(FilesCallProblem) -> [UInt8] {
    switch value {
    case .string(let text): return Array(text.utf8)
    case .bytes(let bytes): return bytes
    default: throw .misuse("\(name): text expected")
    }
  }
}

/// The reason why a call of `files` is not carried out.
enum FilesCallProblem: Error {
  /// The plugin author's mistake, raised in Lua.
  case misuse(String)
  /// A failure that the plugin receives as `nil, message`.
  case refused(Failure)
}

extension FilePathProblem {
  var failure: Failure { Failure(.fileAccess, description) }
}

/// The encoder of the results that the module `files` returns to Lua.
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
    // RFC 3339 cannot express years before 0 or after 9999. For such a time, null is written.
    writer.writeOptional(modified.rfc3339)
  }
}
