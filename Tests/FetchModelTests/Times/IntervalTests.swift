import FetchModel
import FetchValues
import Testing

struct IntervalTests {
  @Test func `all forms of an interval are parsed and written`() throws {
    #expect(try Interval(parsing: "never") == .never)
    #expect(try Interval(parsing: "adaptive") == .adaptive)
    #expect(try Interval(parsing: "1h30m") == .every(.seconds(5400)))
    #expect(try Interval(parsing: "1d 2h 3m 4s 5ms") == .every(.milliseconds(93_784_005)))
    for text in ["never", "adaptive", "15m", "*/5 7-22 * * mon-fri", "@hourly"] {
      #expect(try Interval(parsing: text).description == text)
    }
  }

  static let bad: [(text: String, problem: String)] = [
    (
      "adaptiv",
      "invalid interval 'adaptiv' (did you mean 'adaptive'?): use never, adaptive, a duration such"
        + " as 15m, or a cron line such as '0 7 * * mon-fri'"
    ),
    (
      "hourly",
      "invalid interval 'hourly': use never, adaptive, a duration such as 15m, or a cron line"
        + " such as '0 7 * * mon-fri'"
    ),
    ("15min", "'15min' has the unknown unit 'min'; use a duration such as 30s, 15m, 1h30m or 2d"),
    (
      "15",
      "'15' has no unit: write 15s for 15 seconds, 15m for 15 minutes, 15h for 15 hours or 15d for"
        + " 15 days"
    ),
    ("0s", "the interval '0s' is too short; write at least 1s, or never"),
    (
      "* * *", "a cron line has 5 fields (minute, hour, day, month, weekday), but '* * *' has 3"
    ),
  ]

  @Test(arguments: bad) func `an invalid interval is refused with its reason`(
    text: String, problem: String
  ) {
    let error = #expect(throws: ScheduleTextError.self) { try Interval(parsing: text) }
    #expect(error?.description == problem)
  }
}
