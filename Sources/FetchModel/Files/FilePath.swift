import FetchValues

/// A path inside a folder that nothing may leave: names divided by `/`, none of them empty, `.` or
/// `..`, as UTF-8 without NUL. The folder itself is the path without names.
///
/// That a path is one says nothing of what lies there: a name may still be that of a symbolic link,
/// which is for whoever opens it to refuse.
package struct FilePath: Hashable, Sendable {
  /// Names divided by `/`, without one at either end; empty for the folder itself.
  package let text: String

  /// The longest name Linux file systems take (NAME_MAX), in bytes.
  package static let nameBytesMax = 255
  /// The longest path the kernel takes (PATH_MAX, which counts a final NUL), in bytes.
  package static let pathBytesMax = 4_095
  /// Where the host keeps what is not whole yet. Its name as the first one is no path.
  package static let hiddenFolder = ".fetchrun-partial"

  /// The folder itself.
  package static let root = FilePath(checked: "")

  private init(checked text: String) { self.text = text }

  /// Of a file or folder below the root; the root itself is `FilePath.root`.
  package init(_ text: String) throws(FilePathProblem) {
    if let reason = Self.problem(of: text) { throw FilePathProblem(path: text, reason: reason) }
    self.text = text
  }

  package var isRoot: Bool { text.isEmpty }

  package var names: [String] {
    text.utf8.split(separator: Self.slash).map { String(Substring($0)) }
  }

  /// The last name; empty for the root.
  package var name: String { names.last ?? "" }

  /// The folder it lies in; the root is its own.
  package var folder: FilePath {
    guard let slash = text.utf8.lastIndex(of: Self.slash) else { return .root }
    return FilePath(checked: String(text[..<slash]))
  }

  /// A path below this one.
  package func appending(_ path: FilePath) throws(FilePathProblem) -> FilePath {
    if isRoot { return path }
    if path.isRoot { return self }
    return try FilePath(text + "/" + path.text)
  }

  /// Whether the other one is this one or lies below it, by whole names.
  package func holds(_ other: FilePath) -> Bool {
    isRoot || other == self || other.text.utf8.starts(with: Array((text + "/").utf8))
  }

  // Not by canonical equivalence: a file system compares bytes.
  package static func == (left: FilePath, right: FilePath) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

// MARK: The check

extension FilePath {
  private static let slash = UInt8(ascii: "/")

  private static func problem(of text: String) -> FilePathProblem.Reason? {
    if text.isEmpty { return .empty }
    if text.utf8.count > pathBytesMax { return .tooLong }
    if text.utf8.contains(0) { return .nulByte }
    if text.utf8.first == slash { return .absolute }
    let names = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
    for name in names {
      if let reason = problem(ofName: name) { return reason }
    }
    if let first = names.first, first.elementsEqual(hiddenFolder.utf8) { return .hidden }
    return nil
  }

  private static func problem(ofName name: Substring.UTF8View) -> FilePathProblem.Reason? {
    if name.isEmpty { return .emptyName }
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return .dots }
    return name.count > nameBytesMax ? .longName : nil
  }
}
