import FetchModel
import FetchTestSupport
import FetchValues
import Testing

struct CronLineTests {
  static func next(
    _ line: String, after: String, zone: ZoneOffsets = .utc, count: Int = 1
  ) throws -> [String] {
    let line = try CronLine(parsing: line)
    var time = Zones.time(after)
    var found: [String] = []
    for _ in 0..<count {
      guard let next = line.next(after: time, zone: zone) else { break }
      found.append(next.descriptionInSeconds)
      time = next
    }
    return found
  }

  static let plain: [(line: String, after: String, next: String)] = [
    ("* * * * *", "2026-11-20T10:00:00Z", "2026-11-20T10:01:00Z"),
    ("* * * * *", "2026-11-20T10:00:59.999Z", "2026-11-20T10:01:00Z"),
    ("*/15 * * * *", "2026-11-20T10:46:00Z", "2026-11-20T11:00:00Z"),
    ("5-20/5 9 * * *", "2026-11-20T09:15:00Z", "2026-11-20T09:20:00Z"),
    ("0 7 * * mon-fri", "2026-11-20T07:00:00Z", "2026-11-23T07:00:00Z"),
    ("0 7 * * Sat,SUN", "2026-11-20T07:00:00Z", "2026-11-21T07:00:00Z"),
    ("0 0 * * 7", "2026-11-20T07:00:00Z", "2026-11-22T00:00:00Z"),
    ("0 0 * * fri-sun", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
    ("0 0 1 jan *", "2026-11-20T07:00:00Z", "2027-01-01T00:00:00Z"),
    ("59 23 31 12 *", "2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"),
    ("0 0 29 2 *", "2096-02-29T00:00:00Z", "2104-02-29T00:00:00Z"),
    ("0 0 29 2 */5", "2064-02-29T00:00:00Z", "2088-02-29T00:00:00Z"),
    ("0 0 29 2 */7", "2088-02-29T00:00:00Z", "2128-02-29T00:00:00Z"),
    ("0 0 */31 2 mon", "2055-02-01T00:00:00Z", "2066-02-01T00:00:00Z"),
    // A time matches if either day field matches, unless a day field begins with a star.
    ("0 0 13 * fri", "2026-11-20T07:00:00Z", "2026-11-27T00:00:00Z"),
    ("0 0 30 2 mon", "2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"),
    // If one day field begins with a star, both day fields must match, as in vixie-cron.
    ("0 0 */2 * mon", "2026-11-20T07:00:00Z", "2026-11-23T00:00:00Z"),
    ("@hourly", "2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z"),
    ("@daily", "2026-11-20T10:00:00Z", "2026-11-21T00:00:00Z"),
    ("@weekly", "2026-11-20T10:00:00Z", "2026-11-22T00:00:00Z"),
    ("@monthly", "2026-11-20T10:00:00Z", "2026-12-01T00:00:00Z"),
    ("@yearly", "2026-11-20T10:00:00Z", "2027-01-01T00:00:00Z"),
    ("0\t0  1 1 *", "1960-01-01T00:00:00Z", "1961-01-01T00:00:00Z"),
  ]

  @Test(arguments: plain) func `the next time of a cron line is found`(
    line: String, after: String, next: String
  ) throws {
    #expect(try Self.next(line, after: after) == [next])
  }

  @Test func `a job in a skipped hour runs once, immediately after the gap`() throws {
    let half = try Self.next(
      "30 2 * * *", after: "2026-03-28T01:30:00Z", zone: Zones.berlin, count: 2)
    #expect(half == ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
    let often = try Self.next(
      "*/15 2,4 * * *", after: "2026-03-28T03:00:00Z", zone: Zones.berlin, count: 2)
    #expect(often == ["2026-03-28T03:15:00Z", "2026-03-28T03:30:00Z"])
    let across = try Self.next(
      "*/30 2,3 * * *", after: "2026-03-29T00:00:00Z", zone: Zones.berlin, count: 2)
    #expect(across == ["2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"])
  }

  @Test func `a job in a repeated hour runs only the first time`() throws {
    let half = try Self.next(
      "30 2 * * *", after: "2026-10-24T00:30:00Z", zone: Zones.berlin, count: 2)
    #expect(half == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
    let later = try Self.next(
      "0 */3 * * *", after: "2026-10-24T22:00:00Z", zone: Zones.berlin, count: 2)
    #expect(later == ["2026-10-25T02:00:00Z", "2026-10-25T05:00:00Z"])
  }

  /// The lines are vixie-cron's wildcard jobs (ISC cron 4.1, cron.c, find_jobs).
  @Test(arguments: [
    ("*/20 2 * * *", ["2026-03-28T01:40:00Z", "2026-03-30T00:00:00Z"]),
    ("0 */2 * * *", ["2026-03-29T02:00:00Z", "2026-03-29T04:00:00Z"]),
    ("0 2 * * *", ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
    ("0,20 2 * * *", ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
    ("30 0-23 * * *", ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"]),
  ]) func `a line whose minute or hour begins with a star does not catch up`(
    line: String, next: [String]
  ) throws {
    let after = line.hasPrefix("*/20") ? "2026-03-28T01:20:00Z" : "2026-03-29T00:00:00Z"
    #expect(try Self.next(line, after: after, zone: Zones.berlin, count: 2) == next)
  }

  @Test(arguments: [
    (
      "*/30 2 * * *",
      [
        "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z",
        "2026-10-25T01:30:00Z",
      ]
    ),
    (
      "0 */2 * * *",
      [
        "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T03:00:00Z",
        "2026-10-25T05:00:00Z",
      ]
    ),
    (
      "0,30 2 * * *",
      [
        "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:00:00Z",
        "2026-10-26T01:30:00Z",
      ]
    ),
  ]) func `a line that begins with a star runs in both of two repeated hours`(
    line: String, next: [String]
  ) throws {
    let found = try Self.next(
      line, after: "2026-10-24T23:00:00Z", zone: Zones.berlin, count: 4)
    #expect(found == next)
  }

  @Test func `a line for every hour follows elapsed time through both clock changes`() throws {
    let spring = try Self.next(
      "*/30 * * * *", after: "2026-03-29T00:15:00Z", zone: Zones.berlin, count: 4)
    #expect(
      spring == [
        "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z",
        "2026-03-29T02:00:00Z",
      ])
    let autumn = try Self.next(
      "30 * * * *", after: "2026-10-24T23:00:00Z", zone: Zones.berlin, count: 4)
    #expect(
      autumn == [
        "2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z",
        "2026-10-25T02:30:00Z",
      ])
  }

  @Test func `clock changes at midnight move a job to the first minute of the day`() throws {
    let spring = try Self.next(
      "30 0 * * *", after: "2017-10-14T12:00:00Z", zone: Zones.saoPaulo, count: 2)
    #expect(spring == ["2017-10-15T03:00:00Z", "2017-10-16T02:30:00Z"])
    let autumn = try Self.next(
      "30 23 * * *", after: "2018-02-17T12:00:00Z", zone: Zones.saoPaulo, count: 2)
    #expect(autumn == ["2018-02-18T01:30:00Z", "2018-02-19T02:30:00Z"])
    let hourly = try Self.next(
      "30 * * * *", after: "2018-02-18T01:00:00Z", zone: Zones.saoPaulo, count: 3)
    #expect(hourly == ["2018-02-18T01:30:00Z", "2018-02-18T02:30:00Z", "2018-02-18T03:30:00Z"])
  }

  @Test func `the jobs of a skipped day run after it`() throws {
    let daily = try Self.next(
      "0 12 * * *", after: "2011-12-29T22:00:00Z", zone: Zones.apia, count: 2)
    #expect(daily == ["2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"])
  }

  /// The expected times are found by a walk over every minute of six days around a clock change.
  @Test func `every line has the times that a walk over all minutes finds`() throws {
    for text in [
      "7 */5 * * *", "7 */2 * * *", "*/20 * * * *", "0 0 1,15 * wed", "15 2 * * sun", "45 23 * * *",
    ] {
      let line = try CronLine(parsing: text)
      for zone in [Zones.berlin, .utc] {
        var expected: [Timestamp] = []
        var time = Zones.time("2026-03-27T00:00:00Z")
        var highest = zone.clockSeconds(at: time)
        let end = Zones.time("2026-04-02T00:00:00Z")
        while time < end {
          let next = time + .seconds(60)
          let shown = zone.clockSeconds(at: next)
          // The minutes that a clock change skips count at the jump. Wildcard lines do not catch
          // up.
          let isJump = shown - highest > 60
          let minutes = stride(from: min(highest + 60, shown), through: shown, by: 60)
          let isWild = text.hasPrefix("*") || text.contains(" */")
          if minutes.contains(where: {
            Self.fits(text, $0) && (!isJump || !isWild || $0 == shown)
          }) {
            expected.append(next)
          }
          highest = shown
          time = next
        }
        var found: [Timestamp] = []
        var from = Zones.time("2026-03-27T00:00:00Z")
        while let next = line.next(after: from, zone: zone), next <= end {
          found.append(next)
          from = next
        }
        #expect(found == expected, "\(text) in \(zone.name)")
      }
    }
  }

  /// Returns whether a time fits the line, field by field, for the test above.
  private static func fits(_ line: String, _ clock: Int64) -> Bool {
    let date = CivilDate(daysSinceEpoch: clock / 86_400)
    let (hour, minute) = (clock / 3600 % 24, clock / 60 % 60)
    switch line {
    case "7 */5 * * *": return minute == 7 && hour % 5 == 0
    case "7 */2 * * *": return minute == 7 && hour % 2 == 0
    case "*/20 * * * *": return minute % 20 == 0
    case "0 0 1,15 * wed":
      return minute == 0 && hour == 0 && ([1, 15].contains(date.parts.day) || date.weekday == 3)
    case "15 2 * * sun": return minute == 15 && hour == 2 && date.weekday == 0
    default: return minute == 45 && hour == 23
    }
  }

  static let bad: [(line: String, problem: String)] = [
    (
      "* * * *", "a cron line has 5 fields (minute, hour, day, month, weekday), but '* * * *' has 4"
    ),
    (
      "60 * * * *",
      "'60' is not from 0 to 59 in the minute field of a cron line; use a value such as 0, 0,30 or"
        + " */15"
    ),
    (
      "0 0 * * mno",
      "'mno' is unknown (did you mean 'mon'?) in the day of the week field of a cron line; use a"
        + " value such as mon-fri or 6,0"
    ),
    (
      "0 22-7 * * *",
      "'22-7' is a range that goes backwards in the hour field of a cron line; use a value such as"
        + " 7, 7-22"
        + " or */2"
    ),
    ("5/15 * * * *", "the step in '5/15' needs a range; write 5-59/15"),
    (
      "*/0 * * * *",
      "'0' is not a step in the minute field of a cron line; use a value such as 0, 0,30 or */15"
    ),
    (
      "*/+5 * * * *",
      "'+5' is not a step in the minute field of a cron line; use a value such as 0, 0,30 or */15"
    ),
    (
      "1,,2 * * * *",
      "'' is unknown in the minute field of a cron line; use a value such as 0, 0,30 or */15"
    ),
    (
      "@hourli",
      "'@hourli' is unknown (did you mean '@hourly'?); use one of @annually, @daily, @hourly,"
        + " @midnight, @monthly, @weekly, @yearly"
    ),
    (
      "0 0 31 2,4 *",
      "the cron line '0 0 31 2,4 *' is never due: none of its months has such a day"
    ),
  ]

  @Test(arguments: bad) func `an invalid cron line is refused with its reason`(
    line: String, problem: String
  ) {
    let error = #expect(throws: ScheduleTextError.self) { try CronLine(parsing: line) }
    #expect(error?.description == problem)
  }

  @Test(arguments: [
    "99999999999999999999 * * * *", "*/99999999999999999999 * * * *", "- * * * *", "/ / / / /",
    "1-2-3 * * * *", "-1 * * * *", "+1 * * * *", "* * * * é", "", "     ", "٣ * * * *",
  ]) func `hostile lines are refused`(line: String) {
    #expect(throws: ScheduleTextError.self) { try CronLine(parsing: line) }
  }
}
