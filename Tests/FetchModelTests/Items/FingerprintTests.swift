import FetchModel
import FetchValues
import Testing

@Suite struct FingerprintTests {
  private func fingerprint(_ item: ParsedItem, ignore: [String] = []) -> Fingerprint {
    var writer = FingerprintWriter(ignore: ignore)
    return writer.fingerprint(of: item)
  }

  private static let item: ParsedItem = {
    var item = Items.make(
      id: "1", title: "Title", url: "https://x.test/?p=1", content: "<p>Text</p>",
      published: "2026-01-01T00:00:00Z",
      fields: ValueObject([("views", 12), ("list", ["a": 1, "b": 2])]))
    item.tags = ["one", "two"]
    item.updated = "2026-01-01T00:00:00Z"
    return item
  }()

  private static let same: [@Sendable (inout ParsedItem) -> Void] = [
    { $0.id = "2" },
    { $0.published = "2026-06-01T00:00:00Z" },
    { $0.updated = nil },
    { $0.title = " Title\n" },
    { $0.url = "https://x.test/?utm_campaign=x&p=1" },
    { $0.content = "<p>Text</p>  " },
    { $0.summary = "" },
    { $0.tags = ["two", "one"] },
    { $0.fields = ValueObject([("list", ["b": 2, "a": 1]), ("views", 12)]) },
    { $0.fields["empty"] = nil },
    { $0.fields["empty"] = .null },
    { $0.fields["empty"] = "" },
    { $0.fields["views"] = 12.0 },
  ]

  @Test(arguments: same.indices) func `changes without meaning keep the fingerprint`(index: Int) {
    var item = Self.item
    Self.same[index](&item)
    #expect(fingerprint(item) == fingerprint(Self.item))
  }

  private static let different: [@Sendable (inout ParsedItem) -> Void] = [
    { $0.title = "title" },
    { $0.title = nil },
    { $0.url = "https://x.test/?p=2" },
    { $0.content = "<p>Text!</p>" },
    { $0.summary = "s" },
    { $0.author = "a" },
    { $0.tags = ["one"] },
    { $0.tags = ["onetwo"] },
    { $0.fields["views"] = 13 },
    { $0.fields["views"] = "12" },
    { $0.fields["new"] = 0 },
    {
      $0.title = nil
      $0.author = "Title"
    },
  ]

  @Test(arguments: different.indices) func `changes with meaning change it`(index: Int) {
    var item = Self.item
    Self.different[index](&item)
    #expect(fingerprint(item) != fingerprint(Self.item))
  }

  @Test(arguments: ["title", "content", "views", "tags", "url", "list"])
  func `a change of an ignored field is not news`(name: String) {
    var item = Self.item
    switch name {
    case "title": item.title = "other"
    case "content": item.content = nil
    case "tags": item.tags = []
    case "url": item.url = "https://y.test/"
    default: item.fields[name] = "other"
    }
    #expect(fingerprint(item) != fingerprint(Self.item))
    #expect(fingerprint(item, ignore: [name]) == fingerprint(Self.item, ignore: [name]))
  }

  @Test func `dates are part of the fingerprint only if an item has nothing else`() {
    let first = Items.make(id: "1", published: "2026-01-01T00:00:00Z")
    let second = Items.make(id: "1", published: "2026-01-02T00:00:00Z")
    #expect(fingerprint(first) != fingerprint(second))
  }
}
