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

  /// The message, which says what is wrong with which path and what to write.
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
    case .hidden: "\(FilePath.hiddenFolder) is reserved for the host"
    }
  }
}
