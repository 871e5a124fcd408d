import ArgumentParser
import FetchEngine

/// Some jobs or all, for verbs that must not take none for all.
struct JobArguments: ParsableArguments {
  @Argument(help: "Names of jobs.")
  var jobs: [String] = []

  @Flag(name: .long, help: "All jobs.")
  var all = false

  mutating func validate() throws {
    if jobs.isEmpty, !all { throw ValidationError("which job? name some, or say --all") }
    if all, !jobs.isEmpty { throw ValidationError("name jobs or say --all, not both") }
  }

  var selection: JobSelection { all ? .all : .named(jobs) }
}
