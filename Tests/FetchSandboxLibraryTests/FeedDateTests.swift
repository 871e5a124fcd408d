import FetchValues
import Testing

@Suite struct FeedDateTests {
  static let dates: [(String, String)] = [
    ("Fri, 20 Nov 2026 10:00:00 GMT", "2026-11-20T10:00:00Z"),
    ("Fri, 20 Nov 2026 10:00:00 +0130", "2026-11-20T08:30:00Z"),
    ("20 Nov 26 10:00 EST", "2026-11-20T15:00:00Z"),
    ("Fri,20 November 2026", "2026-11-20T00:00:00Z"),
    ("Fri (comment (inner)) , 20 Nov 2026 10:00:00 -0500 (EST)", "2026-11-20T15:00:00Z"),
    ("Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06Z"),
    ("Sun Jan 04 16:29:06 PST 2004", "2004-01-05T00:29:06Z"),
    ("Sun Jan 04 16:29:06 +0000 2004", "2004-01-04T16:29:06Z"),
    ("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53Z"),
    ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z"),
    ("2026-11-20T10:00:00.123+01:00", "2026-11-20T09:00:00Z"),
    ("2026-11-20 10:00:00", "2026-11-20T10:00:00Z"),
    ("2026-11-20 T 10:00:00 -05:00", "2026-11-20T15:00:00Z"),
    ("2026-11-20T10:00+0100", "2026-11-20T09:00:00Z"),
    ("2026-11", "2026-11-01T00:00:00Z"),
    ("2026", "2026-01-01T00:00:00Z"),
    ("20261120", "2026-11-20T00:00:00Z"),
    ("20261120T100000Z", "2026-11-20T10:00:00Z"),
    ("2003335", "2003-12-01T00:00:00Z"),
    ("2003-335", "2003-12-01T00:00:00Z"),
    ("2004-W53-6", "2005-01-01T00:00:00Z"),
    ("03-12-31", "2003-12-31T00:00:00Z"),
    ("2026-11-20T24:00:00Z", "2026-11-21T00:00:00Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("31/12/2004 10:00", "2004-12-31T10:00:00Z"),
    ("12/31/2004 10:00 PM", "2004-12-31T22:00:00Z"),
    ("31.12.2004", "2004-12-31T00:00:00Z"),
    ("31-Aug-2010", "2010-08-31T00:00:00Z"),
    ("January 26, 2004 4:31 PM EST", "2004-01-26T21:31:00Z"),
    ("12:31 AM, 26 Jan 2004", "2004-01-26T00:31:00Z"),
    ("2004년 05월 28일  01:31:15", "2004-05-27T16:31:15Z"),
    ("2004-05-25 오후 11:23:17", "2004-05-25T14:23:17Z"),
    ("2004年5月28日 01:31", "2004-05-28T01:31:00Z"),
    ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z"),
    ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00Z"),
    ("mar., 05 févr. 2024 10:00:00 +0100", "2024-02-05T09:00:00Z"),
    ("Do, 05 Dez 2024 10:00:00 +0100", "2024-12-05T09:00:00Z"),
    ("Чт, 05 дек 2024 10:00:00 +0300", "2024-12-05T07:00:00Z"),
    ("10.31.2026", "2026-10-31T00:00:00Z"),
    ("2012-31-01", "2012-01-31T00:00:00Z"),
    ("2012-31-12T10:00:00Z", "2012-12-31T10:00:00Z"),
    ("03 Apr 02 1500 GMT", "2002-04-03T15:00:00Z"),
    ("03 Apr 2002 1500 EST", "2002-04-03T20:00:00Z"),
    ("Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T15:55:06Z"),
    ("Fri, 21 Nov 1997 09:(a \\) (b))55:06(c)-0600(d", "1997-11-21T15:55:06Z"),
    ("Fri Nov 20 2026 10:00:00 GMT+0100 (CET)", "2026-11-20T09:00:00Z"),
    ("2026-11-20 10:00:00 +0100 CET", "2026-11-20T09:00:00Z"),
    (
      String(repeating: " \t\r\n\u{A0}", count: 500) + "2026-11-20T10:00:00Z"
        + String(repeating: "\u{A0}\n ", count: 500), "2026-11-20T10:00:00Z"
    ),
    ("2024-02-29", "2024-02-29T00:00:00Z"),
    ("2024-366", "2024-12-31T00:00:00Z"),
    ("1700000000", "2023-11-14T22:13:20Z"),
    ("1700000000000", "2023-11-14T22:13:20Z"),
  ]

  @Test(arguments: dates) func `a date has the meaning that its writer intended`(
    text: String, want: String
  ) {
    #expect(FeedDate.parse(text)?.descriptionInSeconds == want)
  }

  @Test(arguments: [
    "", " ", "today", "Fri", "10:00", "insert date here", "1.2", "99",
    "31.31.2026", "2003-06-31", "2023-02-29", "30 Feb 2026", "99.99.2012", "2012-13-13",
    "0000-00-00",
    "-0001-11-30T00:00:00Z", "Wed, 30 Nov -0001 00:00:00 +0000", "2003-07-32T15:51:30-0500",
    "2003-07-01T25:51:30Z", "2003-07-01T24:00:01Z", "2003-07-01T01:61:30Z", "2003-07-01T01:55:61Z",
    "Fri, 20 Nov 2026 25:00:00 GMT", "Fri, 20 Nov 2026 10:60:00 GMT", "2023-366", "2023-W53-1",
    "20 Nov 2026 13:00 AM", "20 Nov 2026 10:00:000", "2026-11-20T10:00:00Z+01:00",
    "2026-11-20T10:00:00+01:00 -05:00", "Fri, 20 Nov 2026 10:00:00 EST PST",
    "Fri, 20 Nov 2026 10:00:00 +0100 GMT", "2026-11-20T10:00:00+25:00", "(only a comment)",
    "\u{0}", "Nov", "2026-", "----", "+01:00", String(repeating: "1", count: 300), "20 Foo 2026",
  ]) func `other text is not accepted as a date`(text: String) {
    #expect(FeedDate.parse(text) == nil)
  }

  @Test func `any text is accepted as a date or rejected`() {
    let pieces = [
      "2026", "-", "T", ":", "10", "Nov", "Fri,", "+", "(", "\\", "오후", "Z", " ", "W", "/", "é",
    ]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...8, using: &generator)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
      if let date = FeedDate.parse(text) { #expect(date.milliseconds > -70_000_000_000_000) }
    }
  }

  /// Date formats, each as a function of the date's parts, with two digits for each part.
  private static let forms: [@Sendable ([Int]) -> String] = [
    { "20\(two($0[0]))-\(two($0[1]))-\(two($0[2]))T\(clock($0))Z" },
    { "20\(two($0[0]))\(two($0[1]))\(two($0[2]))T\(two($0[3]))\(two($0[4]))\(two($0[5]))" },
    { "\(two($0[2])).\(two($0[1])).20\(two($0[0])) \(clock($0))" },
    { "\(two($0[1]))/\(two($0[2]))/20\(two($0[0])) \(clock($0)) UTC" },
    { "20\(two($0[0]))/\(two($0[1]))/\(two($0[2])) \(clock($0)) +0000" },
    { "\(two($0[2])) \(monthName($0[1])) 20\(two($0[0])) \(clock($0)) GMT" },
    { "Mon, \(two($0[2])) \(monthName($0[1])) 20\(two($0[0])) \(clock($0)) GMT" },
    { "\(two($0[2])) \(monthName($0[1])) \(two($0[0])) \(two($0[3]))\(two($0[4])) GMT" },
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  private static func clock(_ parts: [Int]) -> String {
    "\(two(parts[3])):\(two(parts[4])):\(two(parts[5]))"
  }
  private static func monthName(_ number: Int) -> String {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return names[number % 12]
  }

  @Test func `a parsed date has the parts of its text`() throws {
    var generator = SystemRandomNumberGenerator()
    var takenCount = 0
    for _ in 0..<4000 {
      let ends = [49, 15, 33, 26, 62, 62]
      var parts = ends.map { Int.random(in: 0...$0, using: &generator) }
      let number = Int.random(in: 0..<Self.forms.count, using: &generator)
      let text = Self.forms[number](parts)
      guard let time = FeedDate.parse(text) else { continue }
      takenCount += 1
      if number >= 5 { parts[1] = parts[1] % 12 + 1 }
      if number == 7 { parts[5] = 0 }
      check(text, parts, time)
    }
    #expect(takenCount > 200)
  }

  /// Checks a date. Day and month may be swapped. An hour of 24 means the next day, and a second of
  /// 60 the next minute.
  private func check(_ text: String, _ parts: [Int], _ time: Timestamp) {
    let leap = parts[5] == 60 ? 1 : 0
    let midnight = parts[3] == 24 ? 1 : 0
    guard let got = CalendarTime(Timestamp(seconds: time.seconds - Int64(leap + midnight))) else {
      return #expect(Bool(false), "\(text)")
    }
    #expect(got.year == 2000 + parts[0], "\(text)")
    #expect(
      [got.month, got.day] == [parts[1], parts[2]]
        || [got.day, got.month] == [parts[1], parts[2]],
      "\(text)")
    if midnight == 0 {
      #expect([got.hour, got.minute] == [parts[3], parts[4]], "\(text)")
      #expect(got.second == parts[5] - leap, "\(text)")
    } else {
      #expect(parts[4] == 0 && parts[5] == 0, "\(text)")
    }
  }
}
