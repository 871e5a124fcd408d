import FetchModel
import FetchValues
import Testing

@Suite struct ModifiedTimeTests {
  private let now = Timestamp(rfc3339: "2026-11-20T12:00:00Z")

  private func read(
    _ modified: String, date: String? = nil, age: String? = nil
  ) throws -> Timestamp? {
    let fields = [
      HTTPField("last-modified", modified), date.map { HTTPField("date", $0) },
      age.map { HTTPField("age", $0) },
    ]
    return ModifiedTime.read(fields.compactMap(\.self), now: try #require(now))
  }

  @Test func `a Last-Modified before the answer is the time of a change`() throws {
    let morning = "Fri, 20 Nov 2026 08:00:00 GMT"
    let expected = Timestamp(rfc3339: "2026-11-20T08:00:00Z")
    #expect(try read(morning) == expected)
    #expect(try read(morning, date: "Fri, 20 Nov 2026 12:00:01 GMT") == expected)
    // A cache answers with a body that it fetched two hours ago.
    #expect(try read(morning, date: "Fri, 20 Nov 2026 10:00:00 GMT", age: "7200") == expected)
  }

  @Test(
    arguments: [
      ("Fri, 20 Nov 2026 12:00:00 GMT", "Fri, 20 Nov 2026 12:00:00 GMT", nil),
      ("Fri, 20 Nov 2026 11:59:59 GMT", "Fri, 20 Nov 2026 12:00:00 GMT", nil),
      ("Fri, 20 Nov 2026 10:00:00 GMT", "Fri, 20 Nov 2026 10:00:00 GMT", "7200"),
    ] as [(String, String, String?)])
  func `a Last-Modified that equals the time of the answer is not the time of a change`(
    modified: String, date: String, age: String?
  ) throws {
    #expect(try read(modified, date: date, age: age) == nil)
  }

  @Test(
    arguments: [
      ("Fri, 20 Nov 2026 13:00:00 GMT", nil, nil),
      ("Fri, 20 Nov 2026 08:00:00 GMT", "Fri, 20 Nov 2026 12:02:00 GMT", nil),
      ("Fri, 20 Nov 2026 08:00:00 GMT", "Fri, 20 Nov 2026 10:00:00 GMT", nil),
      ("Fri, 20 Nov 2026 08:00:00 GMT", "Fri, 20 Nov 2026 10:00:00 GMT", "-9223372036854775808"),
      ("Fri, 20 Nov 2026 08:00:00 GMT", "Fri, 20 Nov 2026 10:00:00 GMT", "9223372036854775807"),
      ("yesterday", nil, nil),
    ] as [(String, String?, String?)])
  func `a date in the future, from a wrong clock or in another form is ignored`(
    modified: String, date: String?, age: String?
  ) throws {
    #expect(try read(modified, date: date, age: age) == nil)
  }
}
