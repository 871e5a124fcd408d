import Foundation
import Testing

/// A page of the documentation with its fenced blocks.
struct DocumentedPage: Sendable, CustomTestStringConvertible {
  struct Block: Sendable {
    /// The kind of the block, such as `sh`, `yaml` or `text`.
    var kind: String
    var text: String
    /// The line of the page on which the block begins, counted from 1.
    var line: Int

    /// The file name that is the comment in the block's first line; nil without such a comment.
    var file: String? {
      let first = text.prefix { $0 != "\n" }
      guard let match = first.wholeMatch(of: /(?:#|--|\/\/) ([A-Za-z0-9_.\/-]+\.[a-z]+)/) else {
        return nil
      }
      return String(match.1)
    }

    /// The commands of an `sh` block with the exit status that each must have.
    var commands: [(text: String, status: Int32, line: Int)] {
      var commands: [(text: String, status: Int32, line: Int)] = []
      var pending = ""
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        pending += line
        if line.hasSuffix("\\") {
          pending += "\n"
          continue
        }
        let expected = line.firstMatch(of: /# exits ([0-9]+)/).flatMap { Int32($0.1) }
        if !pending.trimmingCharacters(in: .whitespaces).isEmpty {
          commands.append((pending, expected ?? 0, self.line + 1 + index))
        }
        pending = ""
      }
      return commands
    }
  }

  /// The path of the page in the project.
  let path: String
  let blocks: [Block]
  var testDescription: String { path }

  init(path: String, text: String) {
    self.path = path
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          block.text += line + "\n"
          open = block
        }
      } else if line.hasPrefix("```") {
        open = Block(kind: String(line.dropFirst(3)), text: "", line: index + 1)
      }
    }
    self.blocks = blocks
  }

  /// The pages of the documentation, including the README.
  static let all: [DocumentedPage] = {
    let folder = "Sources/Documentation.docc/"
    let names = FileManager.default.subpaths(atPath: Program.top.path + "/" + folder) ?? []
    let paths = ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { folder + $0 }
    return paths.compactMap { path in
      guard let text = try? String(contentsOf: Program.top.appending(path: path), encoding: .utf8)
      else { return nil }
      return DocumentedPage(path: path, text: text)
    }
  }()

  /// Whether the page's script leaves out the command, for example because it installs a package.
  static func isRunElsewhere(_ command: String) -> Bool {
    ["sudo ", "apt-get ", "systemctl ", "examples/try", "Tests/run", "Sources/Packaging/", "man "]
      .contains { command.hasPrefix($0) }
  }

  /// The page as a script for sh. The script writes the page's files, checks the files for which
  /// `check` returns a command, and runs the page's commands in order. Commands that
  /// `isRunElsewhere` accepts are left out. The script ends with status 1 at the first check or
  /// command whose exit status is not the expected one.
  var script: String {
    var lines = ["set -u"]
    for block in blocks {
      if let file = block.file, block.kind != "sh", block.kind != "text" {
        lines.append("mkdir -p \"$(dirname '\(file)')\"")
        lines.append("cat > '\(file)' <<'END OF FILE'\n\(block.text)END OF FILE")
        if let check = Self.check(of: file) {
          lines += Self.expect(0, check, "\(path):\(block.line)")
        }
      }
      guard block.kind == "sh" else { continue }
      for command in block.commands where !Self.isRunElsewhere(command.text) {
        lines += Self.expect(command.status, command.text, "\(path):\(command.line)")
      }
    }
    return lines.joined(separator: "\n") + "\nexit 0\n"
  }

  private static func check(of file: String) -> String? {
    if file.hasSuffix(".lua") { return "fetchrun check \(file)" }
    let name = file.split(separator: "/").last ?? ""
    return name.hasPrefix("fetchrun") && name.hasSuffix(".yaml")
      ? "fetchrun check --config \(file)" : nil
  }

  private static func expect(_ status: Int32, _ command: String, _ place: String) -> [String] {
    [
      command, "got=$?",
      "[ $got = \(status) ] || { echo \"\(place): exit status $got, not \(status)\" >&2; exit 1; }",
    ]
  }
}
