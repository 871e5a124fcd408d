import Synchronization

/// The memory that all recorders together may hold.
package final class RecorderAllowance: Sendable {
  private let bytesMax: Int
  private let held = Atomic<Int>(0)

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Reserves `count` bytes; returns false, and reserves nothing, if fewer are left.
  func take(_ count: Int) -> Bool {
    if held.add(count, ordering: .relaxed).newValue <= bytesMax { return true }
    giveBack(count)
    return false
  }

  func giveBack(_ count: Int) { held.subtract(count, ordering: .relaxed) }
}
