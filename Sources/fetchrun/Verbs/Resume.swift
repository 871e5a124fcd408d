import ArgumentParser
import FetchEngine
import FetchModel

/// `fetchrun resume`: takes a pause back.
struct Resume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a paused job, or all, run again.",
    discussion: """
      A job whose time has passed meanwhile is due at once. A job that is paused itself stays so \
      when all are resumed.
      """)

  @OptionGroup var jobs: JobArguments
  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per job.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await daemon.ask(.resume(jobs.selection), output) { line in
      output.control(line) { PauseLine(line)?.text }
    }
  }
}
