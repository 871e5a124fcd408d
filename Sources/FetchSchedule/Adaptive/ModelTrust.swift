/// The trust in several models of a source, by Bayes' rule. Each step gives a share of the trust
/// back, so that a model that was wrong once can be right later (fixed share, Herbster and Warmuth
/// 1998).
enum ModelTrust {
  /// Moves trust to the models that foretold what came.
  ///
  /// - Parameters:
  ///   - logs: the models' log likelihoods of it.
  ///   - base: the trust before anything is known, with the sum 1.
  ///   - share: the part that goes back to the base.
  static func judge(_ trust: inout [Double], by logs: [Double], base: [Double], share: Double) {
    let most = logs.max() ?? 0
    guard most.isFinite else { return }
    var sum = 0.0
    for model in trust.indices {
      trust[model] *= Exponential.exp(logs[model] - most)
      sum += trust[model]
    }
    guard sum > 0 else { return trust = base }
    for model in trust.indices {
      trust[model] = (1 - share) * trust[model] / sum + share * base[model]
    }
  }
}
