/// A generator of random numbers (SplitMix64). The same seed gives the same numbers on every
/// machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator with a separate stream for each list of numbers, so that an additional
  /// item changes no other item.
  init(_ path: Int...) {
    state = 0x5EED_F00D
    for step in path { state = next() ^ UInt64(bitPattern: Int64(step)) }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in 0 ..< 1.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number in 0 ..< bound. The bias of the remainder does not matter here.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }
}
