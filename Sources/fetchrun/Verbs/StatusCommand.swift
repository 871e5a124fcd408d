import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun status`: shows the state of the jobs.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show each job's state with the reason, its last outcome and its next run.",
    discussion: "Times are in UTC.")

  @Argument(help: "A job's name; omit for all jobs.", completion: .jobs)
  var job: JobName?

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per job.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let request = ControlRequest.status(job: job)
    if json { return try await daemon.ask(request, output) { output.control($0) } }
    try await daemon.askAll(request, output) { lines in
      StatusTable.table(lines.compactMap(StatusLine.init)).write(to: .current)
    }
    await daemon.sayDeliveries(output)
  }
}
