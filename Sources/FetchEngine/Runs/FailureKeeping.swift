import FetchHost
import Synchronization

/// Of how many failed runs of a job the answers are kept, which a reload may change.
package final class FailureKeeping: Sendable {
  private let count: Atomic<Int>
  /// Of all runs under way; none knows yet whether it will fail.
  let allowance = RecorderAllowance(bytesMax: heldBytesMax)

  private static let heldBytesMax = 64 << 20

  /// 0: of none.
  package init(count: Int) { self.count = Atomic(count) }

  package var countMax: Int { count.load(ordering: .relaxed) }

  package func setCount(_ count: Int) { self.count.store(count, ordering: .relaxed) }
}
