import ArgumentParser
import FetchEngine

/// `fetchrun resume`: ends a pause.
struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let paused jobs, or all, run again.",
    discussion: """
      A job whose time has passed meanwhile is due immediately. A job that was paused by name stays \
      paused when all are resumed.
      """)

  @OptionGroup var arguments: PauseArguments

  func run() async throws { try await arguments.ask { .resume($0) } }
}
