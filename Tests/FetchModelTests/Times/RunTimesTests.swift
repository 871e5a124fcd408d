import FetchModel
import FetchTestSupport
import FetchValues
import Testing

struct RunTimesTests {
  static func times(
    _ windows: [String], days: String = "daily", zone: ZoneOffsets = .utc
  ) throws -> RunTimes {
    RunTimes(
      windows: try windows.map { try DayWindow(parsing: $0) },
      days: try Weekdays(parsing: days), zone: zone)
  }

  static let cases:
    [(windows: [String], days: String, zone: ZoneOffsets, from: String, next: String)] = [
      ([], "daily", .utc, "2026-11-20T03:00:00Z", "2026-11-20T03:00:00Z"),
      (["07:00-22:00"], "daily", .utc, "2026-11-20T07:00:00Z", "2026-11-20T07:00:00Z"),
      (["07:00-22:00"], "daily", .utc, "2026-11-20T06:59:00Z", "2026-11-20T07:00:00Z"),
      (["07:00-22:00"], "daily", .utc, "2026-11-20T22:00:00Z", "2026-11-21T07:00:00Z"),
      (["07:00-22:00"], "mon-fri", .utc, "2026-11-20T22:00:00Z", "2026-11-23T07:00:00Z"),
      ([], "sat", .utc, "2026-11-20T22:00:00Z", "2026-11-21T00:00:00Z"),
      (
        ["06:00-08:00", "18:00-20:00"], "daily", .utc, "2026-11-20T09:00:00Z",
        "2026-11-20T18:00:00Z"
      ),
      // A window over midnight on Friday ends on Saturday.
      (["22:00-06:00"], "fri", .utc, "2026-11-21T05:59:00Z", "2026-11-21T05:59:00Z"),
      (["22:00-06:00"], "fri", .utc, "2026-11-20T05:59:00Z", "2026-11-20T22:00:00Z"),
      (["22:00-06:00"], "fri", .utc, "2026-11-21T06:00:00Z", "2026-11-27T22:00:00Z"),
      (["07:00-22:00"], "daily", Zones.berlin, "2026-07-01T02:00:00Z", "2026-07-01T05:00:00Z"),
      // The window's start is skipped, so the window begins at the end of the gap.
      (["02:30-04:00"], "daily", Zones.berlin, "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"),
      // The whole window is skipped, so the next day follows.
      (["02:10-02:50"], "daily", Zones.berlin, "2026-03-29T00:00:00Z", "2026-03-30T00:10:00Z"),
      // The window's hour is repeated.
      (["02:10-02:50"], "daily", Zones.berlin, "2026-10-25T00:55:00Z", "2026-10-25T01:10:00Z"),
      (["01:30-02:30"], "daily", Zones.berlin, "2026-10-25T00:45:00Z", "2026-10-25T01:00:00Z"),
      // Both repeated hours are in the window.
      (["02:00-03:00"], "daily", Zones.berlin, "2026-10-24T01:00:00Z", "2026-10-25T00:00:00Z"),
      (["02:00-03:00"], "daily", Zones.berlin, "2026-10-24T22:30:00Z", "2026-10-25T00:00:00Z"),
      (["02:00-03:00"], "daily", Zones.berlin, "2026-10-25T01:00:00Z", "2026-10-25T01:00:00Z"),
      // On one Sunday the hour is skipped, so the next window is two weeks later.
      (["02:00-03:00"], "sun", Zones.berlin, "2026-03-22T02:00:00Z", "2026-04-05T00:00:00Z"),
      ([], "fri", Zones.apia, "2011-12-30T00:00:00Z", "2012-01-05T10:00:00Z"),
    ]

  @Test(arguments: cases.indices) func `the next allowed instant is found`(index: Int) throws {
    let (windows, days, zone, from, next) = Self.cases[index]
    let times = try Self.times(windows, days: days, zone: zone)
    #expect(times.next(from: Zones.time(from)) == Zones.time(next))
    #expect(times.contains(Zones.time(next)))
  }

  /// Time zones, each with the first of the days around a clock change.
  static let nights: [(zone: ZoneOffsets, from: String)] = [
    (Zones.berlin, "2026-03-28T00:00:00Z"), (Zones.berlin, "2026-10-24T00:00:00Z"),
    (Zones.saoPaulo, "2017-10-14T00:00:00Z"), (Zones.saoPaulo, "2018-02-17T00:00:00Z"),
    (Zones.stJohns, "2010-03-13T00:00:00Z"), (Zones.stJohns, "2010-11-06T00:00:00Z"),
    (Zones.lordHowe, "2026-04-03T12:00:00Z"), (Zones.lordHowe, "2026-10-02T12:00:00Z"),
    (Zones.apia, "2011-12-29T00:00:00Z"),
  ]

  @Test(arguments: nights.indices)
  func `the next allowed instant is the first one in a search minute by minute`(index: Int) throws {
    let (zone, from) = Self.nights[index]
    let start = Self.minutes(Zones.time(from))
    var chance = SeededGenerator(seed: UInt64(index) + 1)
    for _ in 0..<25 {
      let times = try Self.anyTimes(zone, &chance)
      var next: Timestamp?
      // The search goes backwards, so that the first allowed minute after each minute is known.
      for minute in (0..<3 * 1440).reversed() {
        let time = Timestamp(seconds: (start + Int64(minute)) * 60)
        if times.contains(time) { next = time }
        guard minute % 13 == 0, let next else { continue }
        #expect(times.next(from: time) == next, "\(times) from \(time)")
      }
    }
  }

  private static func minutes(_ time: Timestamp) -> Int64 { time.seconds / 60 }

  /// Returns one or two windows after midnight or at any time, on all days or on some.
  private static func anyTimes(
    _ zone: ZoneOffsets, _ chance: inout SeededGenerator
  ) throws -> RunTimes {
    var windows: [String] = []
    for _ in 0..<Int.random(in: 1...2, using: &chance) {
      let isSmall = Bool.random(using: &chance)
      let start = Int.random(in: isSmall ? 0..<240 : 0..<1440, using: &chance)
      let length = Int.random(in: isSmall ? 1...90 : 1...1439, using: &chance)
      let end = (start + length) % 1440
      windows.append(
        [start, end].map { minute in
          let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
          return "\(hour):\(rest < 10 ? "0" : "")\(rest)"
        }.joined(separator: "-"))
    }
    let days = ["daily", "daily", "sat", "sun", "fri,sun"].randomElement(using: &chance)
    return try Self.times(windows, days: days ?? "daily", zone: zone)
  }

  @Test func `windows and days are written as they are parsed`() throws {
    #expect(try DayWindow(parsing: "7:00 - 22:00").description == "07:00-22:00")
    #expect(try DayWindow(parsing: "18:00-00:00").description == "18:00-24:00")
    #expect(try Weekdays(parsing: "fri-mon").description == "mon,fri,sat,sun")
    #expect(try Weekdays(parsing: "weekdays, Saturday").description == "mon,tue,wed,thu,fri,sat")
    #expect(
      try Self.times(["07:00-22:00"], days: "mon-tue", zone: Zones.berlin).description
        == "mon,tue 07:00-22:00 Europe/Berlin")
    #expect(try Self.times([]).description == "always")
  }

  @Test(arguments: ["", "7-22", "07:00", "07:00-25:00", "07:60-08:00", "24:00-01:00", "a:00-b:00"])
  func `an invalid window is refused with its reason`(text: String) {
    let error = #expect(throws: ScheduleTextError.self) { try DayWindow(parsing: text) }
    #expect(
      error?.description
        == "'\(text)' is not a valid range of times; use a range such as \"07:00-22:00\"")
  }

  @Test func `an empty window and an unknown day are refused with their reasons`() {
    let window = #expect(throws: ScheduleTextError.self) { try DayWindow(parsing: "07:00-07:00") }
    #expect(
      window?.description
        == "'07:00-07:00' is an empty range; for the whole day, use \"00:00-24:00\"")
    let day = #expect(throws: ScheduleTextError.self) { try Weekdays(parsing: "mon,tusday") }
    #expect(
      day?.description
        == "'tusday' is not a day (did you mean 'tuesday'?); use days such as mon-fri or sat,sun")
  }

  @Test(arguments: [
    ("mon-weekend", "weekend"), ("weekdays-sat", "weekdays"), ("daily-fri", "daily"),
  ]) func `a set of days cannot be an end of a range`(text: String, word: String) {
    let error = #expect(throws: ScheduleTextError.self) { try Weekdays(parsing: text) }
    #expect(
      error?.description == "'\(word)' is not a day; use days such as mon-fri or sat,sun")
  }
}
