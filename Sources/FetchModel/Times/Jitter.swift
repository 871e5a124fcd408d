package import FetchValues

/// A generator of repeatable random numbers, which are hashes of a job's name, a count and a seed.
/// A restart with the same seed gives the same numbers. The numbers of different jobs differ, so
/// jobs with the same interval can start at different moments.
package struct Jitter: Hashable, Sendable {
  /// The seed, which is chosen at random once for each store; 0 without a store.
  package var seed: UInt64

  package init(seed: UInt64 = 0) { self.seed = seed }

  /// Returns a number in 0..<1. The numbers for different jobs and counts are evenly distributed.
  package func fraction(job: JobName, count: Int64) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
    // The hash is FNV-1a, then the finisher of SplitMix64. With FNV alone, short names would have
    // similar high bits.
    for byte in job.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash &+= UInt64(bitPattern: count) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return Double(hash >> 11) / Double(UInt64(1) << 53)
  }

  /// Returns a delay in whole milliseconds, from zero up to but not including `longest`.
  package func delay(job: JobName, count: Int64, max longest: Duration) -> Duration {
    let milliseconds = Double(Swift.max(0, longest.wholeMilliseconds))
    return .milliseconds(Int64(milliseconds * fraction(job: job, count: count)))
  }
}
