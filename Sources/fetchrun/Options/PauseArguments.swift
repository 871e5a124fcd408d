import ArgumentParser
import FetchEngine
import FetchValues

/// The arguments of `pause` and `resume`: either names of jobs or `--all`.
struct PauseArguments: ParsableArguments {
  @Argument(help: "Names of jobs.", completion: .jobs)
  var jobs: [JobName] = []

  @Flag(name: .long, help: "All jobs.")
  var all = false

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per job.")
  var json = false

  mutating func validate() throws {
    if jobs.isEmpty, !all {
      throw ValidationError("missing job name: add one or more job names, or --all")
    }
    if all, !jobs.isEmpty { throw ValidationError("name jobs or add --all, not both") }
  }

  func ask(_ request: (JobSelection) -> ControlRequest) async throws {
    let output = RunOutput(asJSON: json)
    try await daemon.ask(request(all ? .all : .named(jobs)), output) { line in
      output.control(line) { PauseLine(line)?.text }
    }
  }
}

extension PauseLine {
  /// The line for people, such as `reuters: is paused` or `all jobs are paused`.
  fileprivate var text: String {
    guard let job else { return textOfAllJobs }
    return switch (isPaused, isChanged) {
    case (true, true): "\(job): is paused"
    case (true, false): "\(job): was already paused"
    case (false, true): "\(job): is resumed"
    case (false, false): "\(job): was not paused"
    }
  }

  private var textOfAllJobs: String {
    switch (isPaused, isChanged) {
    case (true, true): "all jobs are paused"
    case (true, false): "all jobs were already paused"
    case (false, true):
      "the pause of all jobs has ended; jobs that are paused individually stay paused"
    case (false, false): "there was no pause of all jobs"
    }
  }
}
