import Foundation
import Testing

/// Holds the files that the documentation names against the tree.
@Suite struct DocumentedFilesTests {
  private static let page = "Sources/Documentation.docc/ChangingTheCode.md"

  static func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.top.appending(path: path), encoding: .utf8)
  }

  /// The paths of the project that a text has between backquotes.
  static func paths(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && isPath($0.element) }.map { String($0.element) }
  }

  private static func isPath(_ text: Substring) -> Bool {
    text.hasPrefix("Sources/") || text.hasPrefix("Tests/")
  }

  static func missing(in text: String) -> [String] {
    paths(in: text).filter {
      !FileManager.default.fileExists(atPath: SourceTree.top.appending(path: $0).path)
    }
  }

  @Test func `every file that the page on changes names is there`() throws {
    let text = try Self.text(Self.page)
    #expect(Self.paths(in: text).count > 40)
    #expect(Self.missing(in: text) == [])
  }

  @Test func `a file that is missing is found`() {
    let text = "See `Sources/None.swift`, `Package.swift` and `Tests/TidyTests`."
    #expect(Self.missing(in: text) == ["Sources/None.swift"])
  }

  @Test func `the page is linked where people look for it`() throws {
    #expect(try Self.text("README.md").contains("(\(Self.page))"))
    let contents = try Self.text("Sources/Documentation.docc/Documentation.md")
    #expect(contents.contains("- <doc:ChangingTheCode>"))
  }

  /// The files that a kind of change touches, by the heading of its section: the numbered lines.
  static func steps(of heading: String, in text: String) -> Int? {
    guard let start = text.range(of: "\n## \(heading)\n") else { return nil }
    let rest = text[start.upperBound...]
    let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
    return section.split(separator: "\n").count { $0.first?.isNumber ?? false }
  }

  @Test(arguments: [
    ("A config key", 4), ("A verb that reads the store", 2), ("A sink", 5), ("A plugin library", 5),
  ]) func `a change stays narrow`(heading: String, atMost: Int) throws {
    let steps = try #require(Self.steps(of: heading, in: try Self.text(Self.page)))
    #expect((1...atMost).contains(steps))
  }
}
