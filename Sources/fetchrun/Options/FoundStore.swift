import FetchConfig
import FetchModel
import FetchValues

/// The store that a verb uses, and the problems of the config that names it.
struct FoundStore {
  let path: String
  /// The retention in its config; nil without a config, or if it cannot be read.
  var keep: Retention?
  var problems: [ConfigProblem] = []

  /// Prints a warning about the problems to standard error, also with `--json`. The verb continues.
  func warn(_ output: RunOutput) {
    guard let first = problems.first else { return }
    let count = counted(problems.count, "mistake")
    let others = problems.count == 1 ? "" : "; `fetchrun check` lists all"
    output.message(
      "warning: using only the store of a config with \(count): \(first)\(others)")
  }
}
