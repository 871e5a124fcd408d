import ArgumentParser
import FetchEngine
import FetchModel

/// `fetchrun simulate`: what the scheduler would do, on a virtual clock.
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Show when jobs would run, on a virtual clock.",
    discussion: """
      --trace FILE replays publications, outages and reads from JSON lines, gzip or not, and \
      prints one line per fetch, {"t":seconds,"source":"id"}, within the trace's budget and host \
      gap; the summary goes to standard error.
      """)

  @Option(name: .long, help: "The trace to replay.")
  var trace: String

  @Option(name: .long, help: "fixed: every source at the same interval; or adaptive.")
  var policy = TracePolicy.adaptive

  @Flag(name: .long, help: "Leave the reader's habits out.")
  var noUsage = false

  func run() async throws {
    let terminal = Terminal.current
    switch TraceFile.read(trace) {
    case .failure(let problem):
      terminal.message("fetchrun: \(trace): \(problem)")
      throw ExitStatus.badPlugin
    case .success(let replayed):
      var summary = TraceSummary(replayed)
      var lines = TraceLines(replayed)
      var simulation = TraceSimulation(replayed, policy: policy, usesReads: !noUsage)
      simulation.run { fetch in
        summary.count(fetch)
        if let block = lines.add(fetch) { terminal.output(block) }
      }
      if let block = lines.rest { terminal.output(block) }
      terminal.message(summary.text)
    }
  }
}

extension TracePolicy: ExpressibleByArgument {}
