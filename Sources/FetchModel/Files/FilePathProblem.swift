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

  /// The message: what is wrong, with which path, and what to write.
  package var description: String {
    let shown =
      path.count > Self.shownCharactersMax
      ? path.prefix(Self.shownCharactersMax) + "…" : path[...]
    return "'\(shown.replacing("\0", with: "\\0"))' is not a path in the folder: \(sentence)"
  }

  private var sentence: String {
    switch reason {
    case .empty: "it is empty; write the names of folders and file with / between them"
    case .absolute: "it begins with /; write it relative to the folder"
    case .emptyName: "a name in it is empty; write one / between two names and none at the end"
    case .dots: "it has . or .. as a name; write the names of folders and file only"
    case .nulByte: "it has a NUL byte"
    case .longName: "a name in it is longer than \(FilePath.nameBytesMax) bytes"
    case .tooLong: "it is longer than \(FilePath.pathBytesMax) bytes"
    case .notUTF8: "it is not UTF-8"
    case .hidden: "\(FilePath.hiddenFolder) is reserved for the host"
    }
  }
}
