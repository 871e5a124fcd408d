import FetchEngine
import FetchModel
import FetchStore

/// How the cases of plugins are shown.
extension RunOutput {
  /// `failed  rss  not-found`, then what is wrong and the diff, indented.
  func result(_ result: CaseResult) {
    let terminal = Terminal.current
    if asJSON { return terminal.output(result.json) }
    let style: Terminal.Style =
      switch result.verdict {
      case .passed: .green
      case .updated: .yellow
      case .failed, .bad: .red
      }
    terminal.output(
      "\(terminal.styled(result.verdict.rawValue, style))  \(result.plugin)  "
        + PlainText.line(result.name))
    for problem in result.problems { terminal.output("  " + PlainText.line(problem)) }
    diff(result.diff, from: "expected", to: "came")
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
}
