import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the values of `--fail` and `--offline`.
@Suite struct SimulationTextTests {
  static let day = Timestamp(seconds: 0)..<Timestamp(seconds: 86_400)

  @Test(arguments: [
    ("2h", 43_200, 50_400), ("6h+2h", 21_600, 28_800), ("0s+1d", 0, 86_400),
    ("1970-01-01T01:00:00Z+30m", 3600, 5400), ("1970-01-01T01:00:00+01:00+30m", 0, 1800),
  ]) func `a valid period is parsed`(text: String, from: Int64, to: Int64) throws {
    let range = try SimulatedStretch(parsing: text).range(in: Self.day)
    #expect(range == Timestamp(seconds: from)..<Timestamp(seconds: to))
  }

  @Test(arguments: ["", "2", "+2h", "2h+", "x+2h", "2h+1h+", "1970-01-01T00:00:00Z"])
  func `an invalid period is refused`(text: String) {
    #expect(throws: UnitTextError.self) { try SimulatedStretch(parsing: text) }
  }

  @Test func `a failure is parsed with all its parts`() throws {
    let failure = try SimulatedFailure(parsing: "a=b=429:1h@6h+2h")
    #expect(failure.job == "a=b")
    #expect(failure.status == 429)
    #expect(failure.retryAfter == .seconds(3600))
    #expect(!failure.holds(at: Timestamp(seconds: 21_599), in: Self.day))
    #expect(failure.holds(at: Timestamp(seconds: 21_600), in: Self.day))
    #expect(!failure.holds(at: Timestamp(seconds: 28_800), in: Self.day))
    #expect(try SimulatedFailure(parsing: "a=503:90").retryAfter == .seconds(90))
    #expect(try SimulatedFailure(parsing: "a=503").holds(at: Timestamp(seconds: 0), in: Self.day))
  }

  @Test(arguments: [
    ("news", "'news' is not a job with a status; use a job and a status such as news=429"),
    ("=429", "'=429' is not a job with a status; use a job and a status such as news=429"),
    ("news=200", "'200' is not an HTTP error status; use a number from 400 to 599"),
    ("news=x:1h", "'x' is not an HTTP error status; use a number from 400 to 599"),
    (
      "news=429:soon",
      "'soon' is not a duration; use a duration such as 30s, 15m, 1h30m or 2d"
    ),
  ]) func `an invalid failure is refused`(text: String, message: String) {
    #expect(throws: UnitTextError(description: message)) { try SimulatedFailure(parsing: text) }
  }
}
