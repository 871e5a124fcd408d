import Foundation

/// The project's own files, in the form that the tidy checks read.
struct SourceTree {
  struct File {
    /// The path relative to the top of the project, such as `Sources/…/Value.swift`.
    var path: String
    var lines: [Substring]
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  }

  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the Swift files below a folder of the project.
  static func swiftFiles(below folder: String) -> [File] {
    let root = top.appending(path: folder)
    guard let walk = FileManager.default.enumerator(atPath: root.path) else { return [] }
    var files: [File] = []
    for case let relative as String in walk where relative.hasSuffix(".swift") {
      let bytes = FileManager.default.contents(atPath: root.appending(path: relative).path)
      let text = String(decoding: bytes ?? Data(), as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      files.append(File(path: folder + "/" + relative, lines: lines))
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Returns the lines that satisfy a check, as `path:line: text`.
  static func places(in files: [File], where isHit: (Substring) -> Bool) -> [String] {
    files.flatMap { file in
      file.lines.enumerated().filter { isHit($0.element) }.map { index, line in
        "\(file.path):\(index + 1): \(line.trimmingCharacters(in: .whitespaces))"
      }
    }
  }
}
