import Foundation
import Testing

/// Tests that every path and link in the documentation leads to an existing file.
@Suite struct DocumentedFilesTests {
  private static let page = "Sources/Documentation.docc/Design/ChangingTheCode.md"

  static func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.top.appending(path: path), encoding: .utf8)
  }

  /// Returns the paths of the project that are between backquotes in a text.
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

  @Test func `every file that the page on changes names exists`() throws {
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
    #expect(contents.contains("(Design/ChangingTheCode.md)"))
  }

  // MARK: Links

  /// The pages with their paths in the project.
  static let pages: [String] = {
    let folder = "Sources/Documentation.docc/"
    let names = FileManager.default.subpaths(atPath: SourceTree.top.appending(path: folder).path)
    return ["README.md"] + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { folder + $0 }
  }()

  /// Returns the anchor of a heading, in the form that forges use in links.
  static func anchor(_ heading: some StringProtocol) -> String {
    String(
      heading.lowercased().compactMap { (character: Character) -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }

  static func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
        anchor($0.drop { $0 == "#" }.dropFirst())
      })
  }

  /// Returns the links of a page whose file or heading does not exist. Links to other servers are
  /// not checked.
  static func deadLinks(in text: String, at page: String) -> [String] {
    let folder = SourceTree.top.appending(path: page).deletingLastPathComponent()
    var dead: [String] = []
    for match in text.matches(of: /\]\(([^()\s]+)\)/) {
      let link = String(match.1)
      if link.contains(":") { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let place = folder.appending(path: String(parts[0]))
      let target =
        parts[0].isEmpty ? text : try? String(contentsOf: place, encoding: .utf8)
      let isThere = target != nil || FileManager.default.fileExists(atPath: place.path)
      let isNamed = parts.count == 1 || anchors(of: target ?? "").contains(String(parts[1]))
      if !isThere || !isNamed { dead.append(link) }
    }
    return dead
  }

  @Test(arguments: pages) func `every link leads somewhere`(page: String) throws {
    let text = try Self.text(page)
    #expect(Self.deadLinks(in: text, at: page) == [])
    #expect(!text.contains("<doc:"), "a forge does not follow <doc:…> links")
  }

  @Test func `a dead link is found`() {
    let text = "# A `b` c\n[a](#a-b-c) [b](#none) [c](README.md) [d](NONE.md) [e](README.md#none)"
    #expect(Self.deadLinks(in: text, at: "PAGE.md") == ["#none", "NONE.md", "README.md#none"])
  }

  /// Returns the number of numbered lines in the section with the given heading, which are the
  /// files that a change of this kind touches. Returns nil if there is no such section.
  static func steps(of heading: String, in text: String) -> Int? {
    guard let start = text.range(of: "\n## \(heading)\n") else { return nil }
    let rest = text[start.upperBound...]
    let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
    return section.split(separator: "\n").count { $0.first?.isNumber ?? false }
  }

  @Test(arguments: [
    ("A config key", 4), ("A verb that reads the store", 2), ("A sink", 5), ("A host call", 4),
    ("A permission", 3), ("A plugin library", 3),
  ]) func `a change touches no more files than its limit`(heading: String, atMost: Int) throws {
    let steps = try #require(Self.steps(of: heading, in: try Self.text(Self.page)))
    #expect((1...atMost).contains(steps))
  }
}
