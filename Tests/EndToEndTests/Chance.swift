/// A random generator (SplitMix64). The same seed gives the same numbers.
struct Chance {
  private(set) var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns a number from 0 to one less than `end`.
  mutating func below(_ end: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, end)))
  }
}
