import FetchSchedule

/// The answers of one source of a trace. An answer contains nothing that happens later in the
/// trace.
struct TraceAnswers {
  private let source: TraceSource
  private var seenCount = 0

  init(_ source: TraceSource) { self.source = source }

  /// Returns the answer at a time. `now` must increase with each call.
  mutating func answer(at now: Double) -> AdaptiveObservation {
    if let outage = source.outage(at: now) {
      return .failed(retryAfter: outage.retryAfter)
    }
    var count = seenCount
    while count < source.published.count, source.published[count] <= now { count += 1 }
    defer { seenCount = count }
    guard source.datesItems else {
      let last = source.datesChanges && count > 0 ? source.published[count - 1] : nil
      return .changed(count > seenCount, modifiedAt: last)
    }
    let shown = max(0, count - source.window)..<count
    let new = max(seenCount, shown.lowerBound)..<count
    return .items(ItemsSeen(newTimes: Array(source.published[new]), shownCount: shown.count))
  }
}
