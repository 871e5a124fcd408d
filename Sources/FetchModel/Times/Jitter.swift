import FetchValues

/// Deterministic randomness: a hash of a job, a count and a seed. Restarts and simulations move
/// nothing. Jobs with the same interval run at different moments, as do jobs of one name on many
/// machines.
package struct Jitter: Hashable, Sendable {
  /// The seed, chosen once for each store; 0 without a store.
  package var seed: UInt64

  package init(seed: UInt64 = 0) { self.seed = seed }

  /// Returns a number that is evenly spread over 0..<1.
  package func fraction(job: String, count: Int64) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
    // FNV-1a, then the finisher of SplitMix64: FNV alone leaves the high bits of short names alike.
    for byte in job.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash &+= UInt64(bitPattern: count) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return Double(hash >> 11) / Double(UInt64(1) << 53)
  }

  /// Returns a delay from zero up to, but not including, the longest; in whole milliseconds.
  package func delay(job: String, count: Int64, max longest: Duration) -> Duration {
    let milliseconds = Double(Swift.max(0, longest.wholeMilliseconds))
    return .milliseconds(Int64(milliseconds * fraction(job: job, count: count)))
  }
}
