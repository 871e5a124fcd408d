import ArgumentParser
import FetchEngine

/// `fetchrun resume`: takes a pause back.
struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a paused job, or all, run again.",
    discussion: """
      A job whose time has passed meanwhile is due at once. A job that is paused itself stays so \
      when all are resumed.
      """)

  @OptionGroup var arguments: PauseArguments

  func run() async throws { try await arguments.ask { .resume($0) } }
}
