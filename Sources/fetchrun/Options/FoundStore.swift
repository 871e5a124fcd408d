import FetchConfig
import FetchModel
import FetchValues

/// The store that a verb takes, and what is wrong with the config that names it.
struct FoundStore {
  let path: String
  /// What its config asks it to keep; nil without a config, or where that cannot be told.
  var keep: Retention?
  var problems: [ConfigProblem] = []

  /// Says what is wrong, on standard error in any case: it keeps the verb from nothing.
  func warn(_ output: RunOutput) {
    guard let first = problems.first else { return }
    let count = counted(problems.count, "mistake")
    let others = problems.count == 1 ? "" : "; `fetchrun check` lists all"
    output.message(
      "warning: using only the store of a config with \(count): \(first)\(others)")
  }
}
