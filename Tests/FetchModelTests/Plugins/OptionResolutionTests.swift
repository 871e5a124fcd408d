import FetchModel
import FetchValues
import Testing

@Suite struct OptionResolutionTests {
  static let specs: [OptionSpec] = {
    var url = OptionSpec(name: "url")
    url.kind = .url
    url.isRequired = true
    url.summary = "address of the feed"
    var count = OptionSpec(name: "count")
    count.kind = .integer
    count.defaultValue = 10
    var mode = OptionSpec(name: "mode")
    mode.choices = ["fast", "slow"]
    return [url, count, mode]
  }()

  @Test func `defaults replace missing options`() throws {
    let options = try OptionResolution.resolve(
      ValueObject([("url", "https://example.org/")]), against: Self.specs
    ).get()
    #expect(options == ValueObject([("url", "https://example.org/"), ("count", 10)]))
  }

  @Test(arguments: [
    (
      ValueObject(),
      [
        "option 'url' is required: address of the feed; set it with --option "
          + "url=https://example.org/feed.xml"
      ]
    ),
    (
      ValueObject([("url", "https://x.test/"), ("uurl", "y")]),
      ["unknown option 'uurl' (did you mean 'url'?); known options: url, count, mode"]
    ),
    (
      ValueObject([("url", 5), ("count", "many")]),
      [
        "option 'url' must be a url, not an integer",
        "option 'count' must be an integer, not a string",
      ]
    ),
    (
      ValueObject([("url", "https://x.test/"), ("mode", "medium")]),
      ["option 'mode' must be one of fast, slow"]
    ),
    (
      ValueObject([("url", "x.test/feed")]),
      [
        "option 'url': the address \"x.test/feed\" has no scheme; write one, as in "
          + "https://example.org/"
      ]
    ),
    (
      ValueObject([("url", "htps://x.test/feed")]),
      [
        "option 'url': the address \"htps://x.test/feed\" has the unsupported scheme htps; use"
          + " http, https or file"
      ]
    ),
  ])
  func `each problem has advice`(given: ValueObject, messages: [String]) {
    let problems = #expect(throws: OptionProblems.self) {
      try OptionResolution.resolve(given, against: Self.specs).get()
    }
    #expect(problems?.messages == messages)
  }

  @Test func `a message about a config shows where to write the missing value`() {
    let problems = #expect(throws: OptionProblems.self) {
      try OptionResolution.resolve(ValueObject(), against: Self.specs).get()
    }
    #expect(
      problems?.all.map(\.configMessage) == [
        "option 'url' is required: address of the feed;"
          + " add url: https://example.org/feed.xml to `options`"
      ])
  }

  static let readable: [(kind: OptionKind, text: String, value: Value)] = [
    (.integer, "12", 12), (.number, "0.5", 0.5), (.boolean, "yes", true), (.boolean, "off", false),
    (.list, "a,b", ["a", "b"]), (.list, "[1,\"b\"]", [1, "b"]), (.table, "{\"a\":1}", ["a": 1]),
    (.string, "12", "12"),
  ]

  @Test(arguments: readable)
  func `text from the command line is converted to the declared type`(
    kind: OptionKind, text: String, expected: Value
  ) throws {
    var spec = OptionSpec(name: "x")
    spec.kind = kind
    #expect(try OptionResolution.read(text, as: spec).get() == expected)
  }

  @Test(arguments: [
    (OptionKind.integer, "1.5"), (.integer, "99999999999999999999"), (.number, "nan"),
    (.boolean, "maybe"), (.table, "[1]"), (.table, "{"), (.list, "[1"),
  ])
  func `text that does not fit the declared type is refused`(kind: OptionKind, text: String) {
    var spec = OptionSpec(name: "x")
    spec.kind = kind
    #expect(throws: OptionProblems.self) { try OptionResolution.read(text, as: spec).get() }
  }
}
