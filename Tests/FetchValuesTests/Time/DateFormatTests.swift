import FetchValues
import Testing

struct DateFormatTests {
  static let time = Timestamp(milliseconds: 1_795_255_203_045)

  static let formats: [(format: String, text: String?)] = [
    ("%Y-%m-%dT%H:%M:%S", "2026-11-21T10:00:03"),
    ("%a, %d %b %Y %T %z", "Sat, 21 Nov 2026 10:00:03 +0000"),
    ("%A %e %B %y %I %p %j %u %w", "Saturday 21 November 26 10 AM 325 6 6"),
    ("%F %R %L %s %Z %%", "2026-11-21 10:00 045 1795255203 UTC %"), ("é%Y", "é2026"),
    ("%Q", nil), ("%", nil), ("", ""),
  ]

  @Test(arguments: formats) func `formatted dates equal those of strftime`(
    format: String, text: String?
  ) {
    #expect(DateFormat.text(Self.time, format) == text)
  }

  @Test func `times outside the calendar cannot be formatted`() {
    #expect(Timestamp(milliseconds: .max).rfc3339 == nil)
    #expect(Timestamp(milliseconds: .min).rfc3339 == nil)
    #expect(Timestamp(milliseconds: 253_402_300_799_000).rfc3339 == "9999-12-31T23:59:59Z")
    #expect(Timestamp(milliseconds: 253_402_300_800_000).rfc3339 == nil)
    #expect(Timestamp(milliseconds: -62_167_219_200_000).rfc3339 == "0000-01-01T00:00:00Z")
    #expect(Self.time.rfc3339 == "2026-11-21T10:00:03.045Z")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_795_255_203_045, "2026-11-21T10:00:03.045Z"),
    (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
    (-62_198_755_200_001, "-2-12-31T23:59:59.999Z"),
  ]) func `the description of a time has milliseconds`(milliseconds: Int64, text: String) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(time.description == text)
    #expect(time.descriptionInSeconds == text.dropLast(5) + "Z")
  }

  @Test func `parts that are too large carry over into the next larger part`() {
    let parts = CalendarTime(year: 2026, month: 14, day: 0, hour: 25, minute: -1, second: 61)
    #expect(parts.timestamp?.rfc3339 == "2027-02-01T01:00:01Z")
    #expect(CalendarTime(year: 1, month: .max, day: 1).timestamp == nil)
    #expect(CalendarTime(year: 1, month: .min, day: 1).timestamp == nil)
    #expect(CalendarTime(year: .max, month: 1, day: 1).timestamp == nil)
  }

  @Test func `an instant is unchanged after it was split into parts and combined`() throws {
    for day in stride(from: Int64(-700_000), to: 2_900_000, by: 997) {
      let time = Timestamp(seconds: day * 86_400 + 12_345)
      let parts = try #require(CalendarTime(time))
      #expect(parts.timestamp == time)
    }
  }
}
