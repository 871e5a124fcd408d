import FetchModel
import FetchTestSupport
import FetchValues
import Testing

struct ScheduleWordsTests {
  @Test func `rates are parsed`() throws {
    #expect(try Rate(parsing: "600/h", of: .count) == Rate(amount: 600, period: .hour))
    #expect(try Rate(parsing: "500 MB / d", of: .bytes) == Rate(amount: 500_000_000, period: .day))
    #expect(try Rate(parsing: "1h30m/d", of: .time) == Rate(amount: 5_400_000, period: .day))
  }

  static let badRates: [(text: String, quantity: Rate.Quantity, problem: String)] = [
    (
      "600", .count,
      "'600' is not an amount per hour (/h) or day (/d); use a rate such as 600/h or 5000/d"
    ),
    (
      "600/week", .count,
      "'600/week' is not an amount per hour (/h) or day (/d); use a rate such as 600/h or 5000/d"
    ),
    (
      "500/d", .bytes,
      "'500/d' must have a size before the '/'; use a rate such as 500MB/d or 20MB/h"
    ),
    (
      "1.5/h", .count,
      "'1.5/h' must have a whole number of at most 12 digits before the '/'; use a rate such as "
        + "600/h or 5000/d"
    ),
    ("10/h", .time, "'10/h' must have a duration before the '/'; use a rate such as 10m/h or 2h/d"),
  ]

  @Test(arguments: badRates) func `an invalid rate is refused with its reason`(
    text: String, quantity: Rate.Quantity, problem: String
  ) {
    let error = #expect(throws: ScheduleTextError.self) { try Rate(parsing: text, of: quantity) }
    #expect(error?.description == problem)
  }

  @Test func `conditions are parsed`() throws {
    var conditions = Conditions()
    for text in ["network", "ac-power", "load below 4", "load < 2.5"] {
      try conditions.add(parsing: text)
    }
    #expect(conditions.needsNetwork && conditions.needsACPower && conditions.loadMax == 2.5)
    let error = #expect(throws: ScheduleTextError.self) { try conditions.add(parsing: "netwrk") }
    #expect(
      error?.description
        == "'netwrk' is not a condition (did you mean 'network'?); use network, ac-power or"
        + " load below NUMBER (above 0 and at most 10000)")
    for text in [
      "load below 0", "load below nan", "load below 1e3", "load below 4.", "load below -1",
      "load above 2", "",
    ] {
      #expect(throws: ScheduleTextError.self) { try conditions.add(parsing: text) }
    }
  }

  @Test func `a priority is a word or a number`() throws {
    #expect(try Priority(parsing: "low") < Priority.normal)
    #expect(try Priority(parsing: "80") > Priority.high)
    #expect(throws: ScheduleTextError.self) { try Priority(parsing: "+5") }
    let error = #expect(throws: ScheduleTextError.self) { try Priority(parsing: "hihg") }
    #expect(
      error?.description
        == "'hihg' is not a priority (did you mean 'high'?); write low, normal, high or a number from"
        + " 1 to 99")
  }

  @Test func `the most specific lane rule applies`() throws {
    var rules = LaneRules()
    var slow = LaneRule()
    slow.gap = .seconds(60)
    for (text, connections) in [
      ("*", 2), ("*.example.org", 3), ("*.a.example.org", 4), ("b.example.org", 5),
    ] {
      var rule = slow
      rule.connectionsMax = connections
      rules.set(rule, for: try #require(HostPattern(text)))
    }
    #expect(rules.rule(for: "elsewhere.net").connectionsMax == 2)
    #expect(rules.rule(for: "c.example.org").connectionsMax == 3)
    #expect(rules.rule(for: "x.a.example.org").connectionsMax == 4)
    #expect(rules.rule(for: "b.example.org").connectionsMax == 5)
    #expect(LaneRules().rule(for: "x").connectionsMax == 1)
  }

  @Test func `jitter is repeatable and evenly spread`() {
    #expect(Jitter().fraction(job: "a", count: 1) == Jitter().fraction(job: "a", count: 1))
    #expect(Jitter().fraction(job: "a", count: 1) != Jitter().fraction(job: "a", count: 2))
    var tenths = [Int](repeating: 0, count: 10)
    for job in 0..<1000 {
      for count in Int64(0)..<10 {
        tenths[Int(Jitter().fraction(job: "job-\(job)", count: count) * 10)] += 1
      }
    }
    #expect(tenths.allSatisfy { (900...1100).contains($0) }, "\(tenths)")
    #expect(Jitter().delay(job: "a", count: 0, max: .zero) == .zero)
    #expect(Jitter().delay(job: "a", count: 0, max: .seconds(10)) < .seconds(10))
  }
}
