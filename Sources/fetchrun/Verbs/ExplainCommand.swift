import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun explain JOB`: explains why a job runs or does not run.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain in sentences why a job runs when it does.")

  @Argument(help: "The job's name.", completion: .jobs)
  var job: JobName

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per sentence.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await daemon.ask(.explain(job: job), output) { line in
      output.control(line) { ExplainLine(line)?.sentence }
    }
    if !json { await daemon.sayDeliveries(output) }
  }
}
