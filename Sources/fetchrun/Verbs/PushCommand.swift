import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun push JOB…`: there may be something new, look soon.
struct PushCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Tell the running daemon that jobs may have something new.",
    discussion: """
      A push makes a job due before its time. It passes the same lanes and budget as any other \
      run, rides along with a run that is due anyway, and starts a job at most once a minute.
      """)

  @Argument(help: "Names of jobs.", completion: .jobs)
  var jobs: [String]

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per job.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await daemon.ask(.push(jobs: jobs), output) { line in
      output.control(line) { TriggerLine(line)?.text }
    }
  }
}

extension TriggerLine {
  /// `reuters: waits: it is running since …`
  var text: String { "\(job): \(answer.rawValue)" + (why.map { ": \($0)" } ?? "") }
}
