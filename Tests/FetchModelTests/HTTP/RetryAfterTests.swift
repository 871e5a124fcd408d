import FetchModel
import FetchValues
import Testing

@Suite struct RetryAfterTests {
  static let now = Timestamp(seconds: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 06-Nov-1994 08:49:37 GMT", "6 november 1994 8:49:37",
  ]) func `all three forms of a date are read`(text: String) {
    #expect(HTTPDate.parse(text) == Self.now)
  }

  @Test(arguments: [
    "", "soon", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "06 Nov 1994 24:00:00",
    "06 Nov 1994 08:60:00", "06 Nov 1500 08:00:00", "0 Nov 1994 08:00:00",
  ]) func `no other text is a date`(text: String) { #expect(HTTPDate.parse(text) == nil) }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 10:49:37 +0200", 0), ("Sun, 06 Nov 1994 10:49:37+02:00", 0),
    ("Sun, 06 Nov 1994 03:19:37 -0530", 0), ("Sun, 06 Nov 1994 10:49:37 GMT+0200", 0),
    ("Sun Nov 06 10:49:37 +0200 1994", 0), ("Sun, 06 Nov 1994 10:49:37 +0200 (CEST)", 0),
    ("Sun, 06 Nov 1994 03:49:37 EST", 0), ("Sun, 06 Nov 1994 01:49:37 pdt", 0),
    ("Sun, 06 Nov 1994 08:49:37 UTC", 0), ("Sun, 06 Nov 1994 08:49:37 Z", 0),
    ("Sun, 06 Nov 1994 08:49:37 -0000", 0), ("08:49:37 Sunday, 06-Nov-1994 GMT", 0),
    ("Sun, 06 Nov 1994 08:49:37.000 GMT", 0), ("Mon, 07 Nov 1994 00:49:37 +16", 0),
  ]) func `a zone other than GMT is read`(text: String, seconds: Int64) {
    #expect(HTTPDate.parse(text) == Self.now + .seconds(seconds))
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 09:49:37 CET", "Sun, 06 Nov 1994 08:49:37 PM", "06 Nov 1994 08:49:37 МСК",
    "Sun, 06 Nov 1994 08:49:37 +2", "Sun, 06 Nov 1994 08:49:37 +2460", "06 Nov 1994 08:49:37 +99",
    "Sun, 06 Nov 1994 08:49:37 EST +0200", "06 Nov 1994 08:49:37 +0200 GMT",
    "06 Nov 1994 08:49:37 +00000200",
  ]) func `a date with an unknown zone is ignored`(text: String) {
    #expect(HTTPDate.parse(text) == nil)
    #expect(RetryAfter.instant(text, date: nil, now: Self.now) == nil)
  }

  @Test func `a wait until a time in another zone has the right length`() {
    let at = Timestamp(seconds: 1_792_560_000)  // Wed, 21 Oct 2026 05:20:00 GMT
    #expect(
      RetryAfter.instant("Wed, 21 Oct 2026 07:28:00 +0200", date: nil, now: at)
        == at + .seconds(480))
  }

  @Test func `the zone in a cookie's date is ignored`() {
    #expect(HTTPDate.parseWithoutZone("Sun, 06 Nov 1994 08:49:37 +0200") == Self.now)
  }

  @Test func `a date is written in the form that HTTP requires`() {
    #expect(HTTPDate.text(Self.now) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(Timestamp(seconds: 951_782_400)) == "Tue, 29 Feb 2000 00:00:00 GMT")
  }

  @Test(arguments: [
    ("120", nil, 120), (" 0 ", nil, 0), ("Sun, 06 Nov 1994 08:50:37 GMT", nil, 60),
    ("Sun, 06 Nov 1994 08:48:37 GMT", nil, 0),
    // The server's clock is an hour ahead.
    ("Sun, 06 Nov 1994 09:50:37 GMT", "Sun, 06 Nov 1994 09:49:37 GMT", 60),
    ("Sun, 06 Nov 1994 08:50:37 GMT", "nonsense", 60),
    ("99999999999999999999999", nil, 7 * 86_400),
    ("Sun, 06 Nov 2094 08:49:37 GMT", nil, 7 * 86_400),
  ]) func `seconds and dates count from the server's own clock, and are capped`(
    value: String, date: String?, seconds: Int64
  ) {
    #expect(
      RetryAfter.instant(value, date: date, now: Self.now) == Self.now + .seconds(seconds))
  }

  @Test(arguments: ["", "-5", "1.5", "later"]) func `unreadable text is ignored`(
    value: String
  ) {
    #expect(RetryAfter.instant(value, date: nil, now: Self.now) == nil)
  }
}
