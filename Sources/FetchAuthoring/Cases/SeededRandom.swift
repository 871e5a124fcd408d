import Synchronization

/// A generator of repeatable random numbers: SplitMix64 (Steele, Lea and Flood 2014).
final class SeededRandom: Sendable {
  private let state: Mutex<UInt64>
  /// The given numbers, which are returned before the generated numbers.
  private let first: Mutex<[UInt64]>

  init(seed: UInt64, first: [UInt64] = []) {
    state = Mutex(seed)
    self.first = Mutex(first.reversed())
  }

  func next() -> UInt64 {
    if let given = first.withLock({ $0.popLast() }) { return given }
    return state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
