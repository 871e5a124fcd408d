import FetchModel
import FetchStore
import Synchronization

/// What hooks with a rate have sent, kept for the next process.
extension DeliveryService {
  /// What hooks with a rate have sent before this process: a restart lets no more out.
  func readPaces() {
    for hook in state.withLock({ $0.queue.hooksWithoutPace }) {
      var pace = DeliveryPace()
      do throws(StoreError) {
        let kept = try setup.store.reader.ledgerEntry(DeliveryPace.ledgerName(hook))
        if let kept, let known = DeliveryPace(decoding: kept) { pace = known }
      } catch {
        setup.logger("hook '\(hook)': \(error.message)")
      }
      state.withLock { $0.queue.setPace(pace, of: hook) }
    }
  }

  /// Before anything is sent: who is killed then has sent one less than is written down, never more.
  func keepPace(of hook: String) async throws(StoreError) {
    let now = setup.time.now()
    guard let pace = state.withLock({ $0.queue.encodedPace(of: hook, now: now) }) else { return }
    var memory = SchedulerMemory()
    memory.ledger[DeliveryPace.ledgerName(hook)] = pace
    try await setup.store.remember(memory)
  }
}
