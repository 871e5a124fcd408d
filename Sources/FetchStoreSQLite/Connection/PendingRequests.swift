/// What waits to be done with the store's connection, and which of it is next.
///
/// The end of a run, and its beginning where that is written down, waits a little for those of others
/// that are under way, so that one fsync makes more of them durable: as PostgreSQL's `commit_delay`
/// does, with `commit_siblings`. No other request waits for that; who reads by another way than
/// these waits until it is over.
struct PendingRequests {
  enum Turn {
    /// To be done now; the rest stays.
    case work([WriteQueue.Request])
    /// There is nothing to do for so long, unless more comes.
    case sleep(Duration)
  }

  /// An fsync takes about as long.
  static let waitMax: Duration = .milliseconds(5)
  static let groupMax = 64

  private var requests: [WriteQueue.Request] = []
  /// Of those among them that wait for others: how many, when the first of them came, and how many
  /// runs are under way.
  private var patientCount = 0
  private var firstPatientAt = ContinuousClock.now
  private var siblingCount = 0
  private var hasOtherWrite = false

  var isEmpty: Bool { requests.isEmpty }

  /// Whether there are only such, of which more may come soon.
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

  /// - Parameter isEnding: whether nothing more will come.
  mutating func turn(isEnding: Bool, now: ContinuousClock.Instant) -> Turn {
    let timeLeft = Self.waitMax - firstPatientAt.duration(to: now)
    guard isGathering, !isEnding, timeLeft > .zero else {
      defer { self = PendingRequests() }
      return .work(requests)
    }
    if mayWait { return .sleep(timeLeft) }
    // Who reads does not wait for those who write.
    defer { requests.removeAll { $0.siblingCount == nil } }
    return .work(requests.filter { $0.siblingCount == nil })
  }
}
