import FetchValues
import Testing

struct UnitTextTests {
  static let durations: [(text: String, duration: Duration)] = [
    ("30s", .seconds(30)), ("15m", .seconds(900)), ("1h30m", .seconds(5400)),
    ("2d", .seconds(172_800)), ("1w", .seconds(604_800)), ("500ms", .milliseconds(500)),
    ("1.5h", .seconds(5400)), ("0.25s", .milliseconds(250)), ("1h 30m", .seconds(5400)),
    ("0s", .zero), ("36500d", .seconds(36_500 * 86_400)),
  ]

  @Test(arguments: durations) func `durations are parsed`(text: String, duration: Duration) throws {
    #expect(try Duration(parsing: text) == duration)
  }

  static let badDurations: [(text: String, problem: String)] = [
    ("", "'' is not a duration"), ("soon", "'soon' is not a duration"),
    ("1h30", "'1h30' has a number without a unit"),
    ("5 parsecs", "'5 parsecs' has the unknown unit 'parsecs'"),
    ("30m1h", "'30m1h' must have each unit at most once, the largest first"),
    ("1m1m", "'1m1m' must have each unit at most once, the largest first"),
    ("-5s", "'-5s' is not a duration"), ("1.s", "'1.s' is not a duration"),
    ("999999999999w", "'999999999999w' is longer than a hundred years"),
    ("9999999999999s", "'9999999999999s' is not a duration"),
  ]

  @Test(arguments: badDurations) func `an invalid duration is refused with an example`(
    text: String, problem: String
  ) {
    let error = #expect(throws: UnitTextError.self) { try Duration(parsing: text) }
    #expect(error?.description == "\(problem); use a duration such as 30s, 15m, 1h30m or 2d")
  }

  @Test(arguments: [
    (
      "5",
      "'5' has no unit: write 5s for 5 seconds, 5m for 5 minutes, 5h for 5 hours or 5d for 5 days"
    ),
    (
      " 1 ",
      "' 1 ' has no unit: write 1s for 1 second, 1m for 1 minute, 1h for 1 hour or 1d for 1 day"
    ),
    (
      "1.5",
      "'1.5' has no unit: write 1.5s for 1.5 seconds, 1.5m for 1.5 minutes, 1.5h for 1.5 hours"
        + " or 1.5d for 1.5 days"
    ),
  ]) func `a number without a unit is refused with the units to write`(
    text: String, problem: String
  ) {
    let error = #expect(throws: UnitTextError.self) { try Duration(parsing: text) }
    #expect(error?.description == problem)
  }

  @Test func `durations are written as they are parsed`() throws {
    for text in ["30s", "15m", "1h30m", "2d", "500ms", "1d1h1m1s1ms", "0s"] {
      #expect(try Duration(parsing: text).shortText == text)
    }
  }

  static let sizes: [(text: String, bytes: Int64)] = [
    ("0B", 0), ("500MB", 500_000_000), ("64MiB", 64 << 20), ("1.5 GB", 1_500_000_000),
    ("1.5KiB", 1536), ("1kb", 1000), ("999TB", 999_000_000_000_000),
  ]

  @Test(arguments: sizes) func `sizes are parsed`(text: String, bytes: Int64) throws {
    #expect(try ByteSize(parsing: text).bytes == bytes)
  }

  @Test(arguments: ["", "5", "5 bananas", "MB", "1MB1KB", "-1MB", "1000TB", "999999999999TiB"])
  func `an invalid size is refused`(text: String) {
    #expect(throws: UnitTextError.self) { try ByteSize(parsing: text) }
  }

  @Test func `sizes are written for people`() {
    #expect(ByteSize(bytes: 16 << 20).description == "16 MiB")
    #expect(ByteSize(bytes: 10_000_000_000).description == "10.0 GB")
    #expect(ByteSize(bytes: 1_550_000).description == "1.5 MB")
    #expect(ByteSize(bytes: 1).description == "1 byte")
    #expect(ByteSize(bytes: 999).description == "999 bytes")
  }
}
