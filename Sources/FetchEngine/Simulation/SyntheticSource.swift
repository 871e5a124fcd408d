import FetchModel
import FetchValues

/// A source that nobody asks: it publishes at a rate that its job's name gives, or that the job
/// believes, always the same.
struct SyntheticSource {
  private let job: String
  private let meanGap: Double
  private var nextAt: Timestamp
  private var count: Int64 = 0

  /// How many items it shows.
  static let window = 20
  private static let itemsPerDay = [0.1, 0.3, 1, 3, 10, 30, 100]
  private static let gapMin = 60_000.0
  private static let gapMax = 60 * 86_400_000.0

  /// - Parameters:
  ///   - believed: items a day; nil makes a rate up.
  ///   - known: what was published until then is known; nil: a first run shows a window of items.
  init(
    job: String, believed: Double? = nil, knownUntil known: Timestamp? = nil, from start: Timestamp
  ) {
    self.job = job
    let place = Jitter().fraction(job: job, count: -1) * Double(Self.itemsPerDay.count)
    let rate = believed ?? Self.itemsPerDay[Int(place)]
    meanGap = min(max(86_400_000 / max(rate, 1e-9), Self.gapMin), Self.gapMax)
    let first = start + .milliseconds(-Int64(meanGap * Double(Self.window)))
    nextAt = max(first, min(known ?? first, start))
    nextAt = nextAt + gap()
  }

  /// Between nothing and twice the mean.
  private func gap() -> Duration {
    .milliseconds(Int64(2 * meanGap * Jitter().fraction(job: job, count: count)) + 1)
  }

  /// The items since the last time it was asked, the newest of them: times rise from call to call.
  mutating func news(at now: Timestamp) -> [Timestamp] {
    var times: [Timestamp] = []
    while nextAt <= now {
      times.append(nextAt)
      count += 1
      nextAt = nextAt + gap()
    }
    return times.suffix(Self.window)
  }
}
