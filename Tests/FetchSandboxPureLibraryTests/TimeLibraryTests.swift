import FetchSandbox
import FetchValues
import Testing

struct TimeLibraryTests {
  @Test func `dates of feeds are read`() throws {
    #expect(try call("time.parse", "2026-11-21T10:00:03+01:00") == 1_795_251_603)
    #expect(try call("time.parse", "1970-01-01T00:00:00.5Z") == 0.5)
    #expect(try call("time.iso", "Sat, 21 Nov 2026 10:00:03 GMT") == "2026-11-21T10:00:03Z")
    #expect(
      try failure("time.parse", "soon") == .refused("unknown date format 'soon'"))
    #expect(try call("time.duration", "1h30m") == 5400)
  }

  @Test func `instants are formatted and split into parts`() throws {
    #expect(try call("time.format", 1_795_255_203) == "2026-11-21T10:00:03Z")
    #expect(try call("time.format", 0.25, "%F %L") == "1970-01-01 250")
    let parts: Value = [
      "year": 2026, "month": 11, "day": 21, "hour": 10, "min": 0, "sec": 3, "wday": 7, "yday": 325,
    ]
    #expect(try call("time.date", 1_795_255_203) == parts)
    #expect(try call("time.seconds", parts) == 1_795_255_203)
    #expect(try call("time.seconds", ["year": 2026, "month": 11, "day": 21]) == 1_795_262_400)
  }

  @Test(arguments: [
    Value.number(.nan), .number(.infinity), .number(1e300), .integer(.max), .integer(.min),
  ])
  func `invalid times are refused`(time: Value) throws {
    #expect(try failure("time.format", time) == .refused("the time is outside the years 0 to 9999"))
    #expect(throws: LibraryError.self) { try call("time.date", time) }
    #expect(throws: LibraryError.self) {
      try call("time.seconds", ["year": time, "month": time, "day": time])
    }
  }
}
