import Foundation
import Testing

/// Tests that the messages on the troubleshooting page are the program's messages.
@Suite struct TroubleshootingTests {
  private static let page = "Sources/Documentation.docc/Using/Troubleshooting.md"

  /// Words that the code inserts into messages and that `parts` does not recognise as examples.
  private static let inserted = [
    "PRICES_KEY is not set", "a private address", "string ", " integer", " s (limit window)",
    "(invalidPlugin)", "as Lua code", "delivery waits", "process 9417", "fetchrun-worker",
    ", so 8 files",
  ]

  /// The lines of the program and of the shipped plugins that have string literals, as one text.
  /// Literals that are joined in the code count as one literal.
  private static let code: Data = {
    let plugins = SourceTree.top.appending(path: "plugins")
    let names = FileManager.default.subpaths(atPath: plugins.path) ?? []
    let lua = names.filter { $0.hasSuffix(".lua") }.sorted().map { name in
      (try? String(contentsOf: plugins.appending(path: name), encoding: .utf8)) ?? ""
    }
    let lines = TidyTests.sources.flatMap(\.lines) + lua.flatMap { $0.split(separator: "\n") }
    let text = lines.filter { $0.contains("\"") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("//") }
      .joined(separator: " ").replacingOccurrences(of: "\" + \"", with: "")
    return Data(text.replacingOccurrences(of: "\" .. \"", with: "").utf8)
  }()

  private static func isInCode(_ part: String) -> Bool { code.range(of: Data(part.utf8)) != nil }

  /// Returns the messages of a page: the code at the beginning of each row of its tables.
  private static func messages(in text: String) -> [String] {
    text.matches(of: /\n\| (?:``(.+?)``|`([^`]+)`) \|/).map { String($0.1 ?? $0.2 ?? "") }
  }

  /// Returns the constant parts of a message that have two words or more. Quoted texts, numbers,
  /// names of files and addresses are examples, and `…` stands for an omitted part.
  private static func parts(of message: String) -> [String] {
    var text = message.replacing("  ", with: " … ").replacing(/'[^']*'/, with: "…")
    for words in inserted { text = text.replacing(words, with: " … ") }
    var parts: [[Substring]] = [[]]
    for word in text.split(separator: " ") {
      let isExample = word.contains(/[…\d\/]|\w\.\w/)
      if !isExample { parts[parts.count - 1].append(word) }
      if isExample || word.hasSuffix(":") { parts.append([]) }
    }
    return parts.filter { $0.count > 1 }
      .map { $0.joined(separator: " ").trimmingCharacters(in: [" ", ":", ";", ","]) }
  }

  @Test func `each message on the page occurs in the code`() throws {
    let messages = Self.messages(in: try DocumentedFilesTests.text(Self.page))
    #expect(messages.count > 35)
    for message in messages {
      let parts = Self.parts(of: message)
      #expect(!parts.isEmpty, "the message '\(message)' has no constant part")
      for part in parts where !Self.isInCode(part) {
        Issue.record("no message in the code has '\(part)', as on the page: \(message)")
      }
    }
  }

  @Test func `a message that does not occur in the code is found`() {
    let text = "\n| message | what |\n| `no plugin 'a': it went fishing in …` | wait |"
    let parts = Self.messages(in: text).flatMap(Self.parts)
    #expect(parts == ["no plugin", "it went fishing in"])
    #expect(parts.map(Self.isInCode) == [true, false])
  }
}
