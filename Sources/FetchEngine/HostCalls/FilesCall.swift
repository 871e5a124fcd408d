import FetchHost
import FetchModel
import FetchValues

/// A host call `files.…`, as read from a worker's arguments.
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

    /// Whether it is allowed in a folder that is granted for reading only.
    var onlyReads: Bool {
      switch self {
      case .list, .stat, .read, .sha256, .digest, .folder: true
      case .write, .remove, .move: false
      }
    }

    /// Whether the path may be the folder itself.
    var takesRoot: Bool { self == .list || self == .digest || self == .folder }
  }

  var deed: Deed
  var path = FilePath.root
  /// The list of paths for which `sha256` was called instead of one; nil entries are impossible
  /// paths.
  var paths: [FilePath?]?
  /// The destination of `move`.
  var target = FilePath.root
  var text: [UInt8] = []
  var isRecursive = false
  /// The absolute path of a granted folder; nil for the job's own.
  var folder: String?

  /// The paths that it creates, replaces or removes.
  var changed: [FilePath] {
    switch deed {
    case .write, .remove: [path]
    case .move: [path, target]
    case .list, .stat, .read, .sha256, .digest, .folder: []
    }
  }

  private static let prefix = "files."
  /// The maximum number of paths in one list.
  static let pathsMax = 10_000

  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// Reads the single table argument. Impossible names are failures that the plugin may handle;
  /// anything that is no such call is the author's mistake.
  init(_ call: HostCall) throws(FilesCallProblem) {
    guard let deed = Deed(rawValue: String(call.name.dropFirst(Self.prefix.count))) else {
      throw .misuse("unknown host call '\(call.name)'")
    }
    self.deed = deed
    guard let table = try? call.values().first?.objectValue else {
      throw .misuse("\(call.name): a table expected")
    }
    folder = try Self.text(table["root"], call.name, "root")
    if folder != nil, !deed.onlyReads {
      throw .misuse("\(call.name) is not possible in a folder that is granted for reading")
    }
    if deed == .sha256, let list = table["paths"]?.arrayValue {
      guard list.count <= Self.pathsMax else {
        throw .misuse("\(call.name): a list has at most \(Self.pathsMax) paths")
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
    default: throw .misuse("\(name): \(key) must be text")
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
    default: throw .misuse("\(name): \(key) must be text")
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

/// Why a call of `files` is not carried out.
enum FilesCallProblem: Error {
  /// The plugin author's mistake, raised in Lua.
  case misuse(String)
  /// A failure that Lua gets as `nil, message`.
  case refused(Failure)
}

extension FilePathProblem {
  var failure: Failure { Failure(.fileAccess, description) }
}
