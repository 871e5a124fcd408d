import FetchModel
import FetchValues
import Testing

@Suite struct CacheLifetimeTests {
  private static let now = Timestamp(seconds: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

  private static let expires = HTTPField("expires", "Sun, 06 Nov 1994 11:49:37 GMT")

  private func left(_ control: String?, age: String? = nil, expires: Bool = true) -> Int64? {
    var headers = expires ? [Self.expires] : []
    if let control { headers.append(HTTPField("cache-control", control)) }
    if let age { headers.append(HTTPField("age", age)) }
    return CacheLifetime.left(headers, now: Self.now)?.components.seconds
  }

  @Test(
    arguments: [
      ("max-age=60", 60), ("private, MAX-AGE=60", 60), ("max-age=junk", 0), ("no-store", nil),
      ("no-cache, max-age=60", nil), ("private", 10_800), ("public, s-maxage=5", 10_800),
      (nil, 10_800), ("max-age=\"60\"", 60), ("public, max-age=\"6\\0\", private", 60),
      ("extension=\"max-age=9\", max-age=60", 60), ("extension=\"a, max-age=9\"", 10_800),
      ("private=\"no-store, x\", max-age=60", 60), ("x=\"a\\\", no-store\", max-age=60", 60),
      ("x=\"a, max-age=60", 60), ("x=\", no-store", nil), ("max-age=60, max-age=9", 60),
      ("max-age=+60", 0), ("max-age=-60", 0), ("max-age=60.5", 0), ("max-age='60'", 0),
      ("max-age=\"\"", 0), ("max-age=", 0), ("max-age", 0), ("max-age=0060", 60),
      ("max-age=99999999999999999999", 1 << 31), ("no-cache=\"set-cookie\", max-age=60", 60),
    ] as [(String?, Int64?)])
  func `max-age overrides Expires, which counts only if max-age is missing`(
    control: String?, seconds: Int64?
  ) {
    #expect(left(control) == seconds)
  }

  @Test func `all lines of Cache-Control count`() {
    let headers = ["private", "max-age=60"].map { HTTPField("cache-control", $0) }
    #expect(CacheLifetime.left(headers, now: Self.now) == .seconds(60))
    let forbidding = headers + [HTTPField("cache-control", "no-store")]
    #expect(CacheLifetime.left(forbidding, now: Self.now) == nil)
  }

  @Test func `without max-age and Expires there is no lifetime`() {
    #expect(left("private", expires: false) == nil)
    #expect(left(nil, expires: false) == nil)
  }

  @Test func `the age of an answer is subtracted`() {
    #expect(left("max-age=60", age: "25") == 35)
    #expect(left("max-age=60", age: "90") == 0)
    #expect(left(nil, age: "800") == 10_000)
    #expect(left(nil, age: "99999") == 0)
    #expect(left(nil, age: "-5") == 10_800 && left(nil, age: "junk") == 10_800)
  }
}
