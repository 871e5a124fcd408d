import FetchModel
import Testing

@Suite struct IdentityTests {
  @Test func `an item is known by its id, else its address, else its content`() {
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
  ]) func `a plugin chooses the fields that make an item`(names: [String], key: String) {
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

  @Test func `an id given to several items is told apart by address, then by content`() {
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

  @Test func `an id that others share later, or no longer, stays the same item`() {
    let a = Items.make(id: "1", title: "A", url: "https://x.test/a")
    let b = Items.make(id: "1", title: "B", url: "https://x.test/b")
    #expect(Items.decide([a, b], known: Items.known([a])).counts == ChangeCounts(added: 1))
    #expect(Items.decide([a], known: Items.known([a, b])).outcome == .noData(.sameItems))
    #expect(Items.decide([b], known: Items.known([a, b])).outcome == .noData(.sameItems))
  }

  @Test func `ids compare by bytes`() {
    let items = [Items.make(id: "\u{E9}", title: "x"), Items.make(id: "e\u{301}", title: "x")]
    #expect(Items.keys(items).count == 2)
  }

  @Test func `a key never grows beyond its limit`() {
    let long = String(repeating: "x", count: 5000)
    let keys = Items.keys([Items.make(id: long + "1"), Items.make(id: long + "2")])
    #expect(Set(keys).count == 2)
    #expect(keys.allSatisfy { $0.utf8.count <= ItemKey.textBytesMax })
  }
}
