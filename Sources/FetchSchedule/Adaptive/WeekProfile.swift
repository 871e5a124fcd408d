/// A job's week: its counts, and the trust in each of the shapes made from them.
package struct WeekProfile: Equatable, Sendable {
  var counts = WeekCounts()
  var trust = WeekProfile.baseTrust

  static let baseTrust = ShapeVector([0.27, 0.46, 0.2, 0.07])
  /// The share of the trust that goes back to the prior at each step, so that no shape loses it
  /// forever.
  private static let share = 0.02

  /// Moves trust to the shapes that predicted the events: `logs` are their log likelihoods.
  mutating func judge(_ logs: ShapeVector) {
    var most = -Double.infinity
    for index in 0..<WeekShapes.count { most = max(most, logs[index]) }
    guard most.isFinite else { return }
    var sum = 0.0
    for index in 0..<WeekShapes.count {
      trust[index] *= Exponential.exp(logs[index] - most)
      sum += trust[index]
    }
    guard sum > 0 else { return trust = Self.baseTrust }
    for index in 0..<WeekShapes.count {
      trust[index] = (1 - Self.share) * trust[index] / sum + Self.share * Self.baseTrust[index]
    }
  }
}
