import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun budget`: shows the budgets of all jobs together and of single jobs.
struct BudgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "budget",
    abstract: "Show the budgets of all jobs together and of single jobs, and what is left.",
    discussion: """
      AT HAND is what can be spent now; it refills at the rate in LIMIT. It is negative if runs \
      cost more than was reserved for them. LEVEL is its share of the most that can be at hand.
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
