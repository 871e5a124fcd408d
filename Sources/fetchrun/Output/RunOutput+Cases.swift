import FetchAuthoring
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The output of test cases and of replays.
extension RunOutput {
  /// Prints a line such as `failed  rss  not-found`, then the warnings, the problems and the
  /// difference, indented. As JSON, prints one object.
  func result(_ result: CaseResult) {
    let terminal = Terminal.current
    if asJSON { return terminal.output(json: result.json) }
    let style: Terminal.Style =
      switch result.verdict {
      case .passed: .green
      case .updated: .yellow
      case .failed, .bad: .red
      }
    let expectation =
      result.expectationShown.map { "  (expects: failed, \(PlainText.line($0)))" } ?? ""
    terminal.output(
      "\(terminal.styled(result.verdict.rawValue, style))  \(result.plugin)  "
        + PlainText.line(result.name) + expectation)
    for warning in result.warnings { terminal.output("  warning: " + PlainText.line(warning)) }
    for problem in result.problems { terminal.output("  " + PlainText.line(problem)) }
    diff(result.diff, from: "expected", to: "actual")
  }

  private func diff(_ diff: String, from old: String, to new: String) {
    if diff.isEmpty { return }
    let terminal = Terminal.current
    terminal.output("  --- \(old)")
    terminal.output("  +++ \(new)")
    for line in diff.split(separator: "\n") {
      let style: Terminal.Style? = line.first == "+" ? .green : line.first == "-" ? .red : nil
      let text = "  " + PlainText.line(String(line))
      terminal.output(style.map { terminal.styled(text, $0) } ?? text)
    }
  }

  /// Prints a line such as `same  news  019a…  noData: sameItems`. If the result differs, prints
  /// `differs` and the differences. As JSON, prints one object.
  func replay(_ replay: KeptReplay, _ row: KeptRunRow) {
    let terminal = Terminal.current
    if replay.isPluginChanged {
      message("the plugin's files differ in name or content from those of the original run")
    }
    if asJSON { return terminal.output(json: replay.json(of: row.run, job: row.job)) }
    let word = replay.isSame ? terminal.styled("same", .green) : terminal.styled("differs", .yellow)
    terminal.output(
      "\(word)  \(PlainText.line(row.job.text))  \(row.run)  \(described(replay.outcome))")
    for problem in replay.problems { terminal.output("  " + PlainText.line(problem)) }
    diff(replay.diff, from: "then", to: "now")
  }

  private func described(_ outcome: Outcome) -> String {
    switch outcome {
    case .newData(let counts): "newData: \(counts.added) added"
    case .noData(let reason): "noData: \(reason.rawValue)"
    case .failed(let failure): PlainText.line("failed: \(failure.described)")
    }
  }
}

extension CaseResult {
  /// The expected failure of a case that passed or was updated, as text. Nil for any other case, or
  /// if the case expects no failure.
  fileprivate var expectationShown: String? {
    switch verdict {
    case .passed, .updated: expectedFailure
    case .failed, .bad: nil
    }
  }
}

/// The counts of test cases by their results.
struct CaseTally {
  private var counts: [CaseResult.Verdict: Int] = [:]

  /// The number of passed cases that expect a failure of the plugin.
  private var expectedFailureCount = 0

  mutating func count(_ result: CaseResult) {
    counts[result.verdict, default: 0] += 1
    if result.verdict == .passed, result.expectedFailure != nil { expectedFailureCount += 1 }
  }

  /// The counts for people, such as `40 cases: 39 passed (2 expect a failure), 1 failed`.
  var text: String {
    let verdicts: [CaseResult.Verdict] = [.passed, .updated, .failed, .bad]
    let parts = verdicts.compactMap { verdict in
      counts[verdict].map {
        "\($0) \(verdict == .bad ? "unreadable" : verdict.rawValue)"
          + (verdict == .passed ? expectation : "")
      }
    }
    let all = counted(counts.values.reduce(0, +), "case")
    return parts.isEmpty ? all : "\(all): \(parts.joined(separator: ", "))"
  }

  private var expectation: String {
    switch expectedFailureCount {
    case 0: ""
    case 1: " (1 expects a failure)"
    default: " (\(expectedFailureCount) expect a failure)"
    }
  }
}
