import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct ItemFilterTests {
  private var change: ItemChange {
    var item = Items.make(
      id: "a", title: "Swift 6.3 Released", url: "https://a.test/x",
      fields: ValueObject([
        ("price", .string("9.50")), ("stock", .integer(3)), ("place", ["city": "Köln"]),
        ("sold", .bool(false)),
      ]))
    item.tags = ["swift", "Linux"]
    return Items.decide([item], known: KnownItems()).changes[0]
  }

  @Test(arguments: [
    ("title contains \"swift\"", true), ("title contains 'rust'", false),
    ("title starts 'SWIFT' and title ends \"released\"", true),
    ("price < 10", true), ("price < 9.5", false), ("price <= 9.5", true), ("price == 9.5", true),
    ("stock >= 3 and stock != 4", true), ("stock > 3 or price > 9", true),
    ("place.city == 'Köln'", true), ("fields.place.city == \"Bonn\"", false),
    ("tags contains 'swift'", true), ("tags contains 'linux'", false),
    ("'swift' in tags", true), ("id in ['b', 'a']", true), ("id in []", false),
    ("missing", false), ("missing == null", true), ("not missing", true), ("sold", false),
    ("missing < 3", false), ("title < 3", false), ("title", true), ("not not title", true),
    ("change == 'added' and job == 'news'", true),
    ("sold or (price > 1 and not (stock == 3))", false), ("published > '2026'", false),
    ("title contains ''", true), ("price == 'nan'", false),
  ]) func `a filter decides which items pass`(text: String, passes: Bool) throws {
    #expect(try ItemFilter(parsing: text).passes(change, job: "news") == passes)
  }

  @Test(arguments: [
    ("", "is empty"), ("title contains", "ends where a field or a value should be (character 15)"),
    ("title = 'a'", "has a '='; write == or != (character 7)"),
    (
      "title 'a'",
      "has \"a\" instead of a comparison; use ==, !=, <, <=, >, >=, contains, starts, ends or in"
        + " (character 7)"
    ),
    (
      "not title includes 'a'",
      "has 'includes' instead of a comparison; use ==, !=, <, <=, >, >=, contains, starts, ends or"
        + " in (character 11)"
    ),
    ("title == 'a' 'b'", "has \"b\" after the end of the condition (character 14)"),
    ("title == author url", "has 'url' after the end of the condition (character 17)"),
    (
      "title ~ 'a'",
      "has a '~', but filters have no regular expressions: use the operator `contains`"
        + " (character 7)"
    ),
    ("a or (title", "has a '(' without a matching ')' (character 6)"),
    ("title == 'a", "has a string without a closing ' (character 10)"),
    ("and", "has 'and' where a field or a value should be (character 1)"),
    ("a == 1.2.3", "has '1.2.3', which is not a number (character 6)"),
    ("ä == 1", "has an unexpected 'ä' (character 1)"),
    ("'ä' ; b", "has an unexpected ';' (character 5)"),
    ("a in [1 2]", "has a list without ',' or ']' after a value (character 9)"),
    ("a in [b]", "has a list with something that is not a value (character 7)"),
    ("a in [1, [2]]", "has a nested list (character 12)"),
    (
      "title contains swift",
      "compares with 'swift', which is not a standard field: write \"swift\" for a string, or "
        + "fields.swift for another field (character 16)"
    ),
    (
      "price == cheap",
      "compares with 'cheap', which is not a standard field: write \"cheap\" for a string, or "
        + "fields.cheap for another field (character 10)"
    ),
  ]) func `an invalid filter is refused with the reason`(text: String, problem: String) {
    #expect(throws: FilterProblem.self) { try ItemFilter(parsing: text) }
    do { _ = try ItemFilter(parsing: text) } catch { #expect(error.description == problem) }
  }

  @Test func `no filter is too deep or too long to be parsed`() {
    let deep = String(repeating: "(", count: 1000) + "a" + String(repeating: ")", count: 1000)
    #expect(throws: FilterProblem.self) { try ItemFilter(parsing: deep) }
    #expect(throws: FilterProblem.self) {
      try ItemFilter(parsing: String(repeating: "not ", count: 2000) + "a")
    }
  }

  @Test func `a removed item has its id, and its last title and URL`() throws {
    var removed = change
    removed.kind = .removed
    removed.item = nil
    #expect(try ItemFilter(parsing: "title").passes(removed, job: "news") == false)
    #expect(try ItemFilter(parsing: "id == 'a'").passes(removed, job: "news"))
    removed.last = LastVersion(title: "Swift 6.3", url: "https://a.test/1")
    let filter = try ItemFilter(
      parsing: "title starts 'swift' and url ends '/1' and summary == null")
    #expect(filter.passes(removed, job: "news"))
  }

  @Test(arguments: ["title == summary", "price < fields.limit", "title contains place.city"])
  func `a field can be compared with a field`(text: String) throws {
    _ = try ItemFilter(parsing: text)
  }

  @Test func `the filter lists its fields that are not standard, each once`() throws {
    let filter = try ItemFilter(
      parsing: "title contains 'a' and (titel starts 'b' or not titel) and place.city in ['x']")
    #expect(filter.furtherFields == ["titel", "place"])
  }
}
