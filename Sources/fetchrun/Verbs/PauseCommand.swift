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

/// `fetchrun resume`: ends a pause.
struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "End the pause of some jobs, or the pause of all jobs.",
    discussion: """
      A job whose due time passed during the pause is due now. A job that was paused by name stays \
      paused when all jobs are resumed.
      """)

  @OptionGroup var arguments: PauseArguments

  func run() async throws { try await arguments.ask { .resume($0) } }
}
