import ArgumentParser
import FetchEngine

/// `fetchrun pause`: pauses some jobs, or all jobs.
struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Start no more runs of some jobs, or of all jobs, until the jobs are resumed.",
    discussion: "A run under way continues. The pause lasts across restarts.")

  @OptionGroup var arguments: PauseArguments

  func run() async throws { try await arguments.ask { .pause($0) } }
}
