import FetchValues

/// A path relative to a folder. The text of the path cannot lead out of the folder. The path
/// consists of names in UTF-8 without NUL, separated by `/`. No name is empty, `.` or `..`. The
/// path of the folder itself has no names.
///
/// A valid path does not prove that the file is in the folder, because a name in the path may be a
/// symbolic link. The code that opens the file must refuse links.
package struct FilePath: Hashable, Sendable {
  /// The names separated by `/`, without a slash at the start or the end; empty for the folder
  /// itself.
  package let text: String

  /// The maximum length of a name in Linux file systems, in bytes (NAME_MAX).
  package static let nameBytesMax = 255
  /// The maximum length of a path in the kernel, in bytes (PATH_MAX without the final NUL).
  package static let pathBytesMax = 4_095
  /// The name of the folder for unfinished files. A path cannot begin with this name, in upper or
  /// lower case.
  package static let hiddenFolder = ".fetchrun-partial"

  /// The path of the folder itself.
  package static let root = FilePath(checked: "")

  private init(checked text: String) { self.text = text }

  /// Creates the path of a file or folder below the root. The root itself is `FilePath.root`.
  package init(_ text: String) throws(FilePathProblem) {
    if let reason = Self.problem(of: text) { throw FilePathProblem(path: text, reason: reason) }
    self.text = text
  }

  package var isRoot: Bool { text.isEmpty }

  package var names: [String] {
    text.utf8.split(separator: Self.slash).map { String(Substring($0)) }
  }

  /// The last name; empty for the root.
  package var name: String {
    guard let slash = text.utf8.lastIndex(of: Self.slash) else { return text }
    return String(text[text.utf8.index(after: slash)...])
  }

  /// The path of the folder that contains this file or folder; for the root, the root itself.
  package var folder: FilePath {
    guard let slash = text.utf8.lastIndex(of: Self.slash) else { return .root }
    return FilePath(checked: String(text[..<slash]))
  }

  /// Returns this path with `path` appended to it.
  package func appending(_ path: FilePath) throws(FilePathProblem) -> FilePath {
    if isRoot { return path }
    if path.isRoot { return self }
    return try FilePath(text + "/" + path.text)
  }

  /// Whether the other path is equal to this path or is inside it. Paths are compared by whole
  /// names.
  package func holds(_ other: FilePath) -> Bool {
    isRoot || other == self || other.text.utf8.starts(with: Array((text + "/").utf8))
  }

  // File systems compare bytes, so canonically equivalent Unicode texts are different paths.
  package static func == (left: FilePath, right: FilePath) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

// MARK: The check

extension FilePath {
  private static let slash = UInt8(ascii: "/")

  private static func problem(of text: String) -> FilePathProblem.Reason? {
    if text.isEmpty { return .empty }
    var text = text
    return text.withUTF8 { bytes in
      if bytes.count > pathBytesMax { return .tooLong }
      if bytes.contains(0) { return .nulByte }
      if bytes.first == slash { return .absolute }
      var start = 0
      while true {
        let end = bytes[start...].firstIndex(of: slash) ?? bytes.count
        if let reason = problem(ofName: bytes[start..<end]) { return reason }
        if end == bytes.count { break }
        start = end + 1
      }
      return isHidden(bytes) ? .hidden : nil
    }
  }

  private static func problem(ofName name: some Collection<UInt8>) -> FilePathProblem.Reason? {
    if name.isEmpty { return .emptyName }
    if name.count <= 2, name.allSatisfy({ $0 == UInt8(ascii: ".") }) { return .dots }
    return name.count > nameBytesMax ? .longName : nil
  }

  /// Whether the first name of a path is `hiddenFolder`. The case of ASCII letters does not matter,
  /// because some file systems ignore it.
  private static func isHidden(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    let hidden = hiddenFolder.utf8
    guard path.starts(with: hidden, by: { $0.asciiLowercased == $1 }) else { return false }
    return path.count == hidden.count || path[hidden.count] == slash
  }
}

/// The reason why a text is not a path inside a folder.
package struct FilePathProblem: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable, CaseIterable {
    case empty
    case absolute
    case emptyName
    case dots
    case nulByte
    case longName
    case tooLong
    case notUTF8
    case hidden
  }

  package var path: String
  package var reason: Reason

  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension FilePathProblem: CustomStringConvertible {
  private static let shownCharactersMax = 120

  /// The message, which names the path and says what is wrong with it. A long path is shortened.
  package var description: String {
    let shown =
      path.count > Self.shownCharactersMax
      ? path.prefix(Self.shownCharactersMax) + "…" : path[...]
    return "'\(shown.replacing("\0", with: "\\0"))' is not a path in the folder: \(sentence)"
  }

  private var sentence: String {
    switch reason {
    case .empty: "the path is empty; write the names of the folders and the file, separated by /"
    case .absolute: "the path begins with /; write a path relative to the folder"
    case .emptyName:
      "a name in the path is empty; write a single / between names and none at the end"
    case .dots: "the path has . or .. as a name; write only the names of folders and files"
    case .nulByte: "the path has a NUL byte"
    case .longName: "a name in the path is longer than \(FilePath.nameBytesMax) bytes"
    case .tooLong: "the path is longer than \(FilePath.pathBytesMax) bytes"
    case .notUTF8: "the path is not UTF-8"
    case .hidden: "\(FilePath.hiddenFolder) is reserved for fetchrun"
    }
  }
}

/// The parts of a path, found byte by byte. In Swift, a slash before a combining mark is part of
/// another `Character`. A search for the `Character` "/" would miss such a slash.
extension String {
  private static let slash = UInt8(ascii: "/")

  package var isAbsolutePath: Bool { utf8.first == Self.slash }

  /// Whether the text is the address of a PostgreSQL database, and not a path.
  package var isDatabaseAddress: Bool {
    utf8.starts(with: "postgresql://".utf8) || utf8.starts(with: "postgres://".utf8)
  }

  package var hasSlash: Bool { utf8.contains(Self.slash) }

  package var lastSlash: Index? { utf8.lastIndex(of: Self.slash) }

  /// The part up to and including the last slash; empty if there is no slash.
  package var folderPrefix: String {
    lastSlash.map { String(Substring(utf8[...$0])) } ?? ""
  }

  /// The part after the last slash; the whole string if there is no slash.
  package var lastName: String {
    lastSlash.map { String(Substring(utf8[utf8.index(after: $0)...])) } ?? self
  }

  /// The names that are separated by slashes, without empty names.
  package var pathNames: [String] {
    utf8.split(separator: Self.slash).map { String(Substring($0)) }
  }
}

extension [String] {
  /// The absolute path with these names. (`joined`, like an extension of all sequences, looks up
  /// types when it is first called, which a short run would notice.)
  package var absolutePath: String {
    var path = ""
    for name in self { path += "/" + name }
    return path.isEmpty ? "/" : path
  }
}
