import FetchEngine
import FetchValues
import Synchronization

/// The progress line of transfers, such as `[####······] 42 %  1.2 GB of 2.9 GB  5.1 MB/s  3 left`.
struct TransferMeter {
  /// The measurements of the last five seconds. Each measurement has the time when it was made, and
  /// the total number of bytes received until then.
  private var looks: [(at: ContinuousClock.Instant, bytes: Int64)] = []
  private static let barWidth = 20
  private static let speedPeriod: Duration = .seconds(5)

  mutating func line(_ progress: TransferProgress, at now: ContinuousClock.Instant) -> String {
    looks.append((now, progress.receivedBytes))
    looks.removeAll { $0.at.duration(to: now) > Self.speedPeriod && $0.at != now }
    let received = ByteSize(bytes: progress.receivedBytes).decimal
    let left = "\(progress.pendingCount) left"
    guard let total = progress.totalBytes, total > 0 else {
      return "\(received)  \(speed)\(left)"
    }
    let part = min(1, Double(progress.receivedBytes) / Double(total))
    let filled = Int(part * Double(Self.barWidth))
    let bar =
      String(repeating: "#", count: filled)
      + String(repeating: "·", count: Self.barWidth - filled)
    return
      "[\(bar)] \(Int(part * 100)) %  \(received) of \(ByteSize(bytes: total).decimal)  \(speed)\(left)"
  }

  private var speed: String {
    guard let first = looks.first, let last = looks.last, last.bytes > first.bytes else {
      return ""
    }
    let seconds = first.at.duration(to: last.at) / .seconds(1)
    guard seconds > 0 else { return "" }
    let rate = Double(last.bytes - first.bytes) / seconds
    return "\(ByteSize(bytes: Int64(min(rate, 1e15))).decimal)/s  "
  }
}

extension RunOutput {
  /// The handler that shows the progress of transfers; nil if a progress line would not be visible.
  var transferProgress: TransferProgressHandler? {
    guard showsProgress else { return nil }
    let meter = Mutex(TransferMeter())
    return { found in
      let line = found.map { found in meter.withLock { $0.line(found, at: .now) } }
      progress(line ?? "")
    }
  }
}
