import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun budget`: shows the budgets of all jobs together and of single jobs.
struct BudgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "budget",
    abstract:
      "Show the limits of the shared budget and of the jobs' own budgets, and the amounts left.",
    discussion: """
      AVAILABLE is the amount that runs can spend now. It refills at the rate in LIMIT, and is \
      negative if runs cost more than was reserved for them. LEVEL is its percentage of the \
      largest amount that can be available.
      """)

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per limit.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    if json { return try await daemon.ask(.budget, output) { output.control($0) } }
    try await daemon.askAll(.budget, output) { lines in
      BudgetTable.table(lines.compactMap(LedgerLine.init)).write(to: .current)
    }
  }
}
