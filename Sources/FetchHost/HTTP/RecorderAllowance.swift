import Synchronization

/// How much memory all recorders together may hold on to.
package final class RecorderAllowance: Sendable {
  private let bytesMax: Int
  private let held = Atomic<Int>(0)

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// False, and nothing is taken, where there is not so much left.
  func take(_ count: Int) -> Bool {
    if held.add(count, ordering: .relaxed).newValue <= bytesMax { return true }
    giveBack(count)
    return false
  }

  func giveBack(_ count: Int) { held.subtract(count, ordering: .relaxed) }
}
