import FetchModel
import FetchValues

/// The names of the rows in the table `ledger`. The names are part of the store's format. If a name
/// changed, entries of older versions would be lost.
enum LedgerName {
  static let budget = "budget"
  static let pausedAll = "pausedAll"
  static let learned = "adaptive"
  static let seed = "seed"
  static let habits = "reads"
  static let habitsOfJobs = "readsOfJobs"
  static let waits = "stale waits"
  static let configs = "configs"
  /// The beginning of the name of a lane's entry. The lane's hostname follows it.
  static let lanePrefix = "lane "

  static func pace(ofHook hook: HookName) -> String { "hook rate \(hook)" }

  static func firstSeen(_ job: JobName) -> String { "stale seen \(job)" }

  static func stale(_ what: StaleRule.What, hook: HookName, job: JobName) -> String {
    "stale \(what.rawValue) \(hook) \(job)"
  }
}
