import FetchModel
import FetchStore
import Synchronization

extension DeliveryService {
  /// Writes down the times that other settings of hooks give, so that people are shown them. The queue
  /// has them already: a store that does not take them delays nothing.
  func keepNewTimes() async {
    let times = state.withLock { $0.queue.takeRetimed() }
    if times.isEmpty { return }
    do throws(StoreError) {
      try await setup.store.setDeliveryTimes(times)
    } catch {
      setup.events.emit(.storeRefused(.deliveryTimes, error))
    }
  }
}
