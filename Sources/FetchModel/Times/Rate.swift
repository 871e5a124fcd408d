import FetchValues

/// An amount per hour or day: `600/h`, `500MB/d`, `10m/h`.
package struct Rate: Hashable, Sendable {
  package enum Period: String, Sendable, CaseIterable {
    case hour = "h"
    case day = "d"

    package var duration: Duration { self == .hour ? .seconds(3600) : .seconds(86_400) }
  }

  /// The quantity that a rate limits. It determines the unit of `amount`.
  package enum Quantity: Sendable, CaseIterable {
    case count
    case bytes
    /// A duration in milliseconds.
    case time

    var example: String {
      switch self {
      case .count: "600/h or 5000/d"
      case .bytes: "500MB/d or 20MB/h"
      case .time: "10m/h or 2h/d"
      }
    }
  }

  package var amount: Int64
  package var period: Period

  package init(amount: Int64, period: Period) {
    self.amount = amount
    self.period = period
  }

  /// Parses a rate such as `600/h`. A count has up to twelve digits.
  package init(parsing text: String, of quantity: Quantity) throws(ScheduleTextError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let period = Self.period(parts[1]) else {
      throw Self.problem(text, "is not an amount per hour (/h) or day (/d)", quantity)
    }
    let written = String(parts[0])
    self.period = period
    do {
      switch quantity {
      case .count: amount = try Self.count(written)
      case .bytes: amount = try ByteSize(parsing: written).bytes
      case .time: amount = try Duration(parsing: written).wholeMilliseconds
      }
    } catch {
      throw Self.problem(text, "must have \(quantity.noun) before the '/'", quantity)
    }
  }

  private static func period(_ text: Substring) -> Period? {
    Period(rawValue: String(text.filter { $0 != " " }))
  }

  private static func count(_ text: String) throws(UnitTextError) -> Int64 {
    guard let pieces = UnitText.pieces(text), pieces.count == 1, pieces[0].unit.isEmpty,
      pieces[0].millionths == 0
    else { throw UnitTextError(description: "") }
    return pieces[0].whole
  }

  private static func problem(
    _ text: String, _ problem: String, _ quantity: Quantity
  ) -> ScheduleTextError {
    ScheduleTextError(
      "\(ScheduleTextError.quoted(text)) \(problem); use a rate such as \(quantity.example)")
  }
}

extension Rate.Quantity {
  fileprivate var noun: String {
    switch self {
    case .count: "a whole number of at most 12 digits"
    case .bytes: "a size"
    case .time: "a duration"
    }
  }
}

extension Rate {
  /// The rate converted to an amount per hour.
  package var perHour: Double { Double(amount) / (period == .hour ? 1 : 24) }
}

/// The limits on resources for all jobs together, or for one job. An empty list of rates means no
/// limit.
package struct BudgetLimits: Hashable, Sendable {
  /// The maximum number of concurrent runs; nil for the default.
  package var runsAtOnceMax: Int?
  package var requests: [Rate] = []
  package var bytes: [Rate] = []
  /// The limits of CPU time, in milliseconds.
  package var cpu: [Rate] = []
  /// The limits of the runs' total elapsed time, in milliseconds.
  package var runTime: [Rate] = []

  package init() {}

  /// Whether there is no limit.
  package var isEmpty: Bool {
    runsAtOnceMax == nil && requests.isEmpty && bytes.isEmpty && cpu.isEmpty && runTime.isEmpty
  }

  /// The lowest rate of requests, per hour; nil without a rate.
  package var requestsPerHour: Double? { requests.map(\.perHour).min() }
}
