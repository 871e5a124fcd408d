import FetchConfig
import FetchModel
import FetchValues
import Testing

struct SystemZonesTests {
  @Test func `the system's zones have their daylight saving times`() throws {
    let berlin = try #require(SystemZones.zone(named: "Europe/Berlin"))
    #expect(berlin.secondsEast(Timestamp(seconds: 1_782_864_000)) == 7200)
    #expect(berlin.secondsEast(Timestamp(seconds: 1_767_225_600)) == 3600)
    let daily = try CronLine(parsing: "30 2 * * *")
    let start = try #require(Timestamp(rfc3339: "2026-03-28T12:00:00Z"))
    #expect(
      daily.next(after: start, zone: berlin)?.descriptionInSeconds == "2026-03-29T01:00:00Z")
  }

  @Test func `UTC is a known zone, and an unknown name has no zone`() {
    #expect(SystemZones.zone(named: "UTC")?.secondsEast(Timestamp(seconds: 0)) == 0)
    #expect(SystemZones.zone(named: "Europe/Belin") == nil)
    #expect(SystemZones.zone(named: "") == nil)
  }
}
