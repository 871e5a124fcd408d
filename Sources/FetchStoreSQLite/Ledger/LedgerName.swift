import FetchModel

/// The names of the rows of `ledger`. They are part of the format, so that no store loses the
/// entries of older versions.
enum LedgerName {
  static let budget = "budget"
  static let pausedAll = "pausedAll"
  static let learned = "adaptive"
  static let seed = "seed"
  static let habits = "reads"
  static let habitsOfJobs = "readsOfJobs"
  static let waits = "stale waits"
  static let configs = "configs"
  /// The prefix of a hostname.
  static let lanePrefix = "lane "

  static func pace(ofHook hook: String) -> String { "hook rate \(hook)" }

  static func firstSeen(_ job: String) -> String { "stale seen \(job)" }

  static func stale(_ what: StaleRule.What, hook: String, job: String) -> String {
    "stale \(what.rawValue) \(hook) \(job)"
  }
}
