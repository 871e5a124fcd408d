import FetchModel
package import FetchSchedule
import FetchValues

/// A simulated source of items for a job. It publishes at the given rate, or at a rate derived from
/// the job's name, with a mean gap from `gapMin` to `gapMax`. The publication times depend only on
/// the arguments of `init`.
struct SyntheticSource {
  private let job: JobName
  private let meanGap: Double
  private var nextAt: Timestamp
  private var count: Int64 = 0

  /// The maximum number of items that the source shows at once.
  static let window = 20
  private static let itemsPerDay = [0.1, 0.3, 1, 3, 10, 30, 100]
  private static let gapMin = 60_000.0
  private static let gapMax = 60 * 86_400_000.0

  /// - Parameters:
  ///   - believed: the learned number of items per day; nil for a rate derived from the job's name.
  ///   - known: the time up to which the publications are known. If it is nil, the first run shows
  ///     about a full window of items.
  init(
    job: JobName, believed: Double? = nil, knownUntil known: Timestamp? = nil, from start: Timestamp
  ) {
    self.job = job
    let place = Jitter().fraction(job: job, count: -1) * Double(Self.itemsPerDay.count)
    let rate = believed ?? Self.itemsPerDay[Int(place)]
    meanGap = min(max(86_400_000 / max(rate, 1e-9), Self.gapMin), Self.gapMax)
    let first = start + .milliseconds(-Int64(meanGap * Double(Self.window)))
    nextAt = max(first, min(known ?? first, start))
    nextAt = nextAt + gap()
  }

  /// Returns a pseudo-random gap between two publications, from one millisecond to twice the mean
  /// gap.
  private func gap() -> Duration {
    .milliseconds(Int64(2 * meanGap * Jitter().fraction(job: job, count: count)) + 1)
  }

  /// Returns the times of the newest publications since the previous call, at most `window` times.
  /// `now` must not be earlier than in the previous call.
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

/// One simulated request to a source of a trace.
package struct SimulatedFetch: Equatable, Sendable {
  /// The time of the request, in seconds from the trace's start.
  package var time: Double
  /// The index of the source in the trace's list of sources.
  package var source: Int
  /// The reason why the request was due; nil for the first request to a source, and for fixed
  /// intervals.
  package var reason: AdaptiveReason?
}
