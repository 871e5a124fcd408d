import FetchConfig
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests that the reference page of test cases matches the keys and words that the reader accepts.
struct CaseReferenceTests {
  private static let page: String = {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = "Sources/Documentation.docc/Reference/Cases.md"
    return (try? String(contentsOf: top.appending(path: path), encoding: .utf8)) ?? ""
  }()

  @Test(arguments: CaseReference.tables.map(\.title))
  func `the page has each generated table`(title: String) throws {
    let table = try #require(CaseReference.tables.first { $0.title == title }?.table)
    #expect(Self.page.contains("# \(title)\n"))
    #expect(Self.page.contains("\n\n" + table + "\n\n"), "the page lacks:\n\(table)")
  }

  @Test func `the case on the page is valid`() throws {
    let start = try #require(Self.page.range(of: "```yaml\n"))
    let rest = Self.page[start.upperBound...]
    let text = String(rest[..<(try #require(rest.range(of: "```"))).lowerBound])
    let folder = try ConfigFolder(["case.yaml": text])
    defer { folder.remove() }
    let recording = try CaseFile.read(folder.path)
    #expect(recording.runs.map { $0.requests.map(\.times) } == [[1], [1], [2]])
  }
}
