import FetchModel
import FetchValues

/// A simulated source: it publishes at a rate that follows from its job's name or that the job has
/// learned, always the same.
struct SyntheticSource {
  private let job: String
  private let meanGap: Double
  private var nextAt: Timestamp
  private var count: Int64 = 0

  /// The number of items that it shows.
  static let window = 20
  private static let itemsPerDay = [0.1, 0.3, 1, 3, 10, 30, 100]
  private static let gapMin = 60_000.0
  private static let gapMax = 60 * 86_400_000.0

  /// - Parameters:
  ///   - believed: the learned items per day; nil derives a rate.
  ///   - known: the time up to which publications are known; nil: a first run shows a window of
  ///     items.
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

  /// Returns a gap between zero and twice the mean.
  private func gap() -> Duration {
    .milliseconds(Int64(2 * meanGap * Jitter().fraction(job: job, count: count)) + 1)
  }

  /// Returns the newest items since the last call: times rise from call to call.
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
