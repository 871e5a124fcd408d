import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun push JOB…`: makes jobs due, since their sources may have new data.
struct PushCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Notify the running daemon that jobs may have new data.",
    discussion: """
      A push makes a job due before its due time. Its run uses the lanes and the budget like any \
      other run. A job that is due anyway runs once. A push starts a job at most once a minute.

      An address from `--address` is served by `fetchrun web`. Anybody who knows it can push the \
      job, unless the config asks for signatures (`push.secret`). It is printed once; only its \
      hash is stored. A new address replaces the previous one.
      """)

  @Argument(help: "Names of jobs.", completion: .jobs)
  var jobs: [JobName]

  @OptionGroup var daemon: DaemonOptions

  @Flag(
    name: .long,
    help: "Instead, print a new address for each job, to which other services send pushes by HTTP.")
  var address = false

  @Flag(name: .long, help: "Instead, remove the addresses of the jobs.")
  var removeAddress = false

  @Flag(name: .long, help: "Print one JSON object per job.")
  var json = false

  func validate() throws {
    if address && removeAddress {
      throw ValidationError("--address and --remove-address cannot be used together; remove one")
    }
  }

  func run() async throws {
    if address || removeAddress {
      return try WebProgram.become(
        ["push-address", address ? "add" : "remove"] + jobs.map(\.text) + (json ? ["--json"] : []),
        daemon.file, daemon.storage, RunOutput(asJSON: json))
    }
    let output = RunOutput(asJSON: json)
    try await daemon.ask(.push(jobs: jobs), output) { line in
      output.control(line) { TriggerLine(line)?.text }
    }
  }
}

extension TriggerLine {
  /// The line for people, such as `reuters: waits: it has been running since …`.
  var text: String { "\(job): \(answer.rawValue)" + (why.map { ": \($0)" } ?? "") }
}
