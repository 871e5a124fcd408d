/// The requests that wait for the store's connection, and the choice of the next requests.
///
/// The writes at the beginning and the end of a run wait briefly for such writes of other active
/// runs. One fsync then makes more writes durable. PostgreSQL does the same with `commit_delay` and
/// `commit_siblings`. Other requests in this queue do not wait for writes of other runs. Readers
/// outside this queue wait until the transaction is over.
struct PendingRequests {
  enum Turn {
    /// The requests to execute now. The other requests remain in the queue.
    case work([WriteQueue.Request])
    /// No request is ready. The thread may sleep for this duration, unless more requests arrive.
    case sleep(Duration)
  }

  /// The maximum wait for the writes of other runs, about the time of an fsync.
  static let waitMax: Duration = .milliseconds(5)
  static let groupMax = 64

  private var requests: [WriteQueue.Request] = []
  /// The number of requests that wait for the writes of other runs.
  private var patientCount = 0
  /// The arrival time of the first request that waits for the writes of other runs.
  private var firstPatientAt = ContinuousClock.now
  /// The number of active runs that the last waiting request has reported.
  private var siblingCount = 0
  private var hasOtherWrite = false

  var isEmpty: Bool { requests.isEmpty }

  /// Whether all requests in the queue may wait, and more such requests may arrive soon.
  var mayWait: Bool { patientCount == requests.count && isGathering }

  private var isGathering: Bool {
    patientCount > 0 && patientCount < min(siblingCount, Self.groupMax) && !hasOtherWrite
  }

  mutating func append(_ request: WriteQueue.Request, now: ContinuousClock.Instant) {
    requests.append(request)
    guard let siblingCount = request.siblingCount else {
      hasOtherWrite = hasOtherWrite || request.isWrite
      return
    }
    if patientCount == 0 { firstPatientAt = now }
    patientCount += 1
    self.siblingCount = siblingCount
  }

  /// - Parameter isEnding: whether no more requests will arrive.
  mutating func turn(isEnding: Bool, now: ContinuousClock.Instant) -> Turn {
    let timeLeft = Self.waitMax - firstPatientAt.duration(to: now)
    guard isGathering, !isEnding, timeLeft > .zero else {
      defer { self = PendingRequests() }
      return .work(requests)
    }
    if mayWait { return .sleep(timeLeft) }
    // Reads do not wait for writes.
    defer { requests.removeAll { $0.siblingCount == nil } }
    return .work(requests.filter { $0.siblingCount == nil })
  }
}
