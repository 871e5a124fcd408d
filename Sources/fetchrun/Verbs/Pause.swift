import ArgumentParser
import FetchEngine
import FetchModel

/// `fetchrun pause`: no more runs of a job, or of any.
struct Pause: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Start no more runs of a job, or of any, until it is resumed.",
    discussion: "A run under way goes on. It lasts across restarts.")

  @OptionGroup var jobs: JobArguments
  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per job.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await daemon.ask(.pause(jobs.selection), output) { line in
      output.control(line) { PauseLine(line)?.text }
    }
  }
}

extension PauseLine {
  /// `reuters: is paused`, `all jobs: were not paused`
  var text: String {
    let (who, verb) = job.map { ($0, ("is", "was")) } ?? ("all jobs", ("are", "were"))
    return switch (isPaused, isChanged) {
    case (true, true): "\(who): \(verb.0) paused"
    case (true, false): "\(who): \(verb.1) paused already"
    case (false, true): "\(who): \(verb.0) resumed"
    case (false, false): "\(who): \(verb.1) not paused"
    }
  }
}
