import FetchConfig
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests that the reference page and the schema match the keys that the reader uses.
struct ConfigReferenceTests {
  static let page: String = {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = "Sources/Documentation.docc/Reference/ConfigReference.md"
    return (try? String(contentsOf: top.appending(path: path), encoding: .utf8)) ?? ""
  }()

  @Test(arguments: ConfigReference.tables.map(\.title))
  func `the page has each generated table`(title: String) {
    let table = ConfigReference.tables.first { $0.title == title }?.table ?? "none"
    #expect(Self.page.contains("## \(title)\n"))
    #expect(
      Self.page.contains("\n\n" + table + "\n\n"),
      "the page differs: `fetchrun schema --markdown` prints the tables")
  }

  @Test func `the config on the page is valid`() throws {
    let start = try #require(Self.page.range(of: "```yaml\n"))
    let rest = Self.page[start.upperBound...]
    let text = String(rest[..<(try #require(rest.range(of: "```"))).lowerBound])
    let config = try ConfigFolder.load(text, environment: ["PRICES_KEY": "k"])
    #expect(config.jobs.map(\.name) == ["news", "prices"])
  }

  static func keys(_ path: String...) -> [String] {
    var value: Value? = ConfigSchema.value
    for key in path { value = value?.objectValue?[key] }
    return value?.objectValue?.keys ?? []
  }

  @Test func `the schema has every key of the page`() {
    let schema =
      [Self.keys("properties")]
      + [
        "job", "push", "allow", "files", "budget", "lane", "transfers", "keep", "web", "webproxy",
        "webmetrics", "secret", "oauth", "hook",
        "webhook",
        "command", "filesink", "email", "luahook", "hookallow",
      ].map { Self.keys("$defs", $0, "properties") }
    #expect(schema.count == ConfigReference.tables.count)
    for (keys, table) in zip(schema, ConfigReference.tables.map(\.table)) {
      let rows = table.split(separator: "\n").dropFirst(2)
      #expect(rows.count == keys.count)
      for (key, row) in zip(keys, rows) { #expect(row.hasPrefix("| `\(key)` |")) }
    }
    #expect(
      !Self.keys("$defs", "defaults", "properties").contains("name"), "a job's own is no default")
    #expect(
      Self.keys("$defs", "quota", "properties")
        == Self.keys("$defs", "budget", "properties").filter { $0 != "runs" })
  }

  @Test func `the schema is a valid schema`() throws {
    #expect(
      ConfigSchema.value.objectValue?["$schema"]
        == "https://json-schema.org/draft/2020-12/schema")
    let text = try JSONWriter.text(ConfigSchema.value)
    #expect(!text.contains("\n"))
    #expect(try JSONReader.decode(text) == ConfigSchema.value)
    for reference in text.matches(of: /"#\/\$defs\/([a-z]+)"/) {
      #expect(Self.keys("$defs").contains(String(reference.1)))
    }
  }
}
