import FetchModel
import FetchValues
import Testing

@Suite struct IdentityTests {
  @Test func `an item is identified by its id, otherwise its address, otherwise its content`() {
    let url = "https://x.test/?utm_source=a&p=1"
    #expect(Items.keys([Items.make(id: "7", title: "T", url: url)]) == ["7"])
    #expect(Items.keys([Items.make(id: "", title: "T", url: url)]) == ["https://x.test/?p=1"])
    let byContent = Items.keys([Items.make(title: "T")])
    #expect(byContent[0].hasPrefix("content:"))
    #expect(Items.keys([Items.make(title: " T\n")]) == byContent)
    #expect(Items.keys([Items.make(title: "U")]) != byContent)
  }

  @Test(arguments: [
    (["title"], "T"), (["guid"], "7"), (["sku"], "12"), (["title", "date"], "[\"T\",\"2026\"]"),
    (["missing"], "7"), (["title", "missing"], "[\"T\",null]"),
    (["tree"], "{\"a\":1,\"b\":[]}"),
  ]) func `a plugin chooses the fields of the identity`(names: [String], key: String) {
    var rules = ItemRules()
    rules.identity = .fields(names)
    let fields = ValueObject([("sku", 12), ("tree", ["b": [], "a": 1])])
    let item = Items.make(id: "7", title: "T", published: "2026", fields: fields)
    #expect(Items.keys([item], rules: rules) == [key])
  }

  @Test func `exact duplicates are one item`() {
    let item = Items.make(id: "7", title: "T")
    #expect(Items.keys([item, item, Items.make(id: "7", title: "T ")]) == ["7"])
    #expect(Items.keys([Items.make(title: "T"), Items.make(title: "T")]).count == 1)
  }

  @Test func `items that share an id are distinguished by address, then by content`() {
    let a = Items.make(id: "1", title: "A", url: "https://x.test/a")
    let b = Items.make(id: "1", title: "B", url: "https://x.test/b")
    let c = Items.make(id: "1", title: "C", url: "https://x.test/b")
    #expect(Items.keys([a, b]) == ["1 https://x.test/a", "1 https://x.test/b"])
    #expect(Items.keys([b, a]) == ["1 https://x.test/b", "1 https://x.test/a"])
    let three = Items.keys([a, b, c])
    #expect(three[0] == "1 https://x.test/a")
    #expect(three[1].hasPrefix("1 content:") && three[2].hasPrefix("1 content:"))
    #expect(Set(three).count == 3)
  }

  @Test func `an item keeps its identity if another item begins or ceases to share its id`() {
    let a = Items.make(id: "1", title: "A", url: "https://x.test/a")
    let b = Items.make(id: "1", title: "B", url: "https://x.test/b")
    #expect(Items.decide([a, b], known: Items.known([a])).counts == ChangeCounts(added: 1))
    #expect(Items.decide([a], known: Items.known([a, b])).outcome == .noData(.sameItems))
    #expect(Items.decide([b], known: Items.known([a, b])).outcome == .noData(.sameItems))
  }

  @Test func `an address as id identifies the same item with other tracking parameters`() {
    func item(_ parameters: String) -> ParsedItem {
      let url = "https://x.test/a?p=1" + parameters
      return Items.make(id: url, title: "A", url: url)
    }
    let known = Items.known([item("&utm_source=rss")])
    #expect(known.items.keys.map(\.text) == ["https://x.test/a?p=1"])
    for other in ["", "&utm_source=feed", "&fbclid=7", "#utm_medium=x"] {
      #expect(Items.decide([item(other)], known: known).outcome == .noData(.sameItems), "\(other)")
    }
    #expect(Items.keys([Items.make(id: "tag: ?utm_id=1")]) == ["tag: ?utm_id=1"])
  }

  @Test func `an item that was stored by an id with tracking parameters is not news`() {
    let given = "https://x.test/a?utm_source=rss"
    let item = Items.make(id: given, title: "A")
    var known = KnownItems()
    known[ItemKey(given)] = Items.known([item]).items.values.first
    #expect(Items.decide([item], known: known).outcome == .noData(.sameItems))
  }

  @Test func `items that share an id are matched with the known one in any order`() {
    let a = Items.make(id: "1", title: "A", url: "https://x.test/a", published: "2026-01-01")
    let edited = Items.make(id: "1", title: "A2", url: "https://x.test/a", published: "2026-01-01")
    let b = Items.make(id: "1", title: "B", url: "https://x.test/b", published: "2026-01-02")
    for result in [[edited, b], [b, edited]] {
      let changes = Items.decide(result, known: Items.known([a]))
      let updated = changes.changes.first { $0.kind == .updated }
      #expect(updated?.item?.title == "A2")
      #expect(changes.counts == ChangeCounts(added: 1, updated: 1))
    }
  }

  @Test func `an id that looks like the key of another item gives no duplicate key`() {
    let items = [
      Items.make(id: "1", title: "A", url: "https://x.test/a"),
      Items.make(id: "1", title: "B", url: "https://x.test/b"),
      Items.make(id: "1 https://x.test/a", title: "C"),
    ]
    let keys = Items.keys(items)
    #expect(keys[0].hasPrefix("1 content:"))
    #expect(keys.dropFirst() == ["1 https://x.test/b", "1 https://x.test/a"])
    let all = items + [Items.make(id: keys[0], title: "D")]
    #expect(Items.keys(all) == Array(keys.dropFirst()) + [keys[0]])
  }

  @Test func `ids are compared byte by byte`() {
    let items = [Items.make(id: "\u{E9}", title: "x"), Items.make(id: "e\u{301}", title: "x")]
    #expect(Items.keys(items).count == 2)
  }

  @Test func `a key never exceeds its limit`() {
    let long = String(repeating: "x", count: 5000)
    let keys = Items.keys([Items.make(id: long + "1"), Items.make(id: long + "2")])
    #expect(Set(keys).count == 2)
    #expect(keys.allSatisfy { $0.utf8.count <= ItemKey.textBytesMax })
  }
}
