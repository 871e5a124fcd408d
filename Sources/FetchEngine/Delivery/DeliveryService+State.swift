import FetchHost
import FetchModel
import FetchValues

extension DeliveryService {
  /// What it knows of the outbox, and what is under way.
  struct State {
    var queue = DeliveryQueue()
    var lastID: Int64 = 0
    /// Whether there may be more in the store.
    var isStale = true
    /// The reads of the outbox in a row that the store refused.
    var failedReadCount = 0
    /// When the outbox is read again that could not be read; nil: the last read succeeded.
    var readAgainAt: Timestamp?
    /// Whether what is kept of rates may be of other hooks than these.
    var areHooksNew = true
    var sinks: [String: any DeliverySink] = [:]
    var attempts: [UInt64: Task<Void, Never>] = [:]
    var lastAttempt: UInt64 = 0
    /// Those that a person wants sent now.
    var forced: Set<Int64> = []
    /// Those that have gone out, and are in the store still.
    var told: Set<Int64> = []
    /// Why deliveries of a hook were last postponed, as was told.
    var postponements: [String: String] = [:]

    /// Until what a hook with a rate has sent is known, nothing goes out: it might be too much.
    var knowsPaces: Bool { queue.hooksWithoutPace.isEmpty }

    /// When there is something to do if nothing happens before; nil: nothing is.
    func nextWake(now: Timestamp) -> Timestamp? {
      let next = knowsPaces ? queue.nextWake(now: now) : nil
      guard let readAgainAt else { return next }
      return next.map { min($0, readAgainAt) } ?? readAgainAt
    }

    func isReadDue(_ now: Timestamp) -> Bool { readAgainAt.map { $0 <= now } ?? false }

    mutating func readFailed(now: Timestamp) {
      failedReadCount += 1
      readAgainAt = now + Backoff.storeRead.longest(failures: failedReadCount)
    }

    mutating func readSucceeded() {
      failedReadCount = 0
      readAgainAt = nil
    }

    /// What became of deliveries, once it is written down.
    mutating func take(_ noted: [Delivery]) {
      for var delivery in noted where delivery.state == .pending {
        delivery.payload = ""
        queue.add(delivery)
      }
      queue.remove(Set(noted.filter { $0.state == .dead }.map(\.id)))
    }
  }
}
