import FetchModel
import FetchValues
import Testing

struct ItemTitleTests {
  private static let fields: ValueObject = ValueObject([
    ("moniker", "mainline"), ("content", "long"), ("gone", .null), ("tags", ["a"]),
    ("version", "6.18"), ("text", .string(String(repeating: "x", count: 61))),
    ("downloads", 12), ("eol", false),
  ])

  private static func shown(
    title: String? = nil, url: String? = nil, id: String?, _ fields: ValueObject = fields
  ) -> String {
    ItemTitle.shown(title: title, url: url, id: id, fields: fields)
  }

  @Test func `an item is named by title, otherwise by address, otherwise by id`() {
    #expect(Self.shown(title: "t", url: "u", id: "i") == "t")
    #expect(Self.shown(title: "", url: "u", id: "i") == "u")
    #expect(Self.shown(id: "i") == "i")
  }

  @Test func `an item without these is named by its fields, not by a hash`() {
    let id = "content:47f8845e2b6ec7a7c3d1a2b3c4d5e6f7"
    #expect(Self.shown(id: id) == "moniker: mainline, version: 6.18, downloads: 12")
    #expect(Self.shown(id: id, ValueObject()) == "an item")
    #expect(Self.shown(id: nil) == "an item")
    #expect(
      Self.shown(id: id, ValueObject([("n", .null), ("summary", "long text")])) == "long text")
    let long = ValueObject([("content", .string(String(repeating: "é", count: 500)))])
    #expect(Self.shown(id: id, long) == String(repeating: "é", count: 59) + "…")
  }
}
