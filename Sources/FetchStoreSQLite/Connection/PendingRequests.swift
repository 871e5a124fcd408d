/// The requests that wait for the store's connection, and the choice of the next ones.
///
/// The end of a run, and its noted beginning, wait briefly for those of other active runs, so that
/// one fsync makes more of them durable: like PostgreSQL's `commit_delay` with `commit_siblings`.
/// No other request waits for that; readers outside this queue wait until it is over.
struct PendingRequests {
  enum Turn {
    /// Execute these now; the others remain.
    case work([WriteQueue.Request])
    /// Nothing to do for this duration, unless more requests arrive.
    case sleep(Duration)
  }

  /// The longest wait, about the time of an fsync.
  static let waitMax: Duration = .milliseconds(5)
  static let groupMax = 64

  private var requests: [WriteQueue.Request] = []
  /// The state of the requests that wait for others: their number, the arrival of the first, and
  /// the number of active runs.
  private var patientCount = 0
  private var firstPatientAt = ContinuousClock.now
  private var siblingCount = 0
  private var hasOtherWrite = false

  var isEmpty: Bool { requests.isEmpty }

  /// Whether all requests may wait and more of them may arrive soon.
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
