package import FetchModel
import FetchValues

/// The page of the ended runs of all jobs or of one job, newest first.
package struct RunsPage: Sendable {
  package var job: String?
  /// The outcome of the shown runs: `newData`, `noData` or `failed`; nil for all outcomes.
  package var outcome: String?
  package var runs: [RunRecord]
  package var next: LocalAddress?
  package var rowsMax = 100

  package init(job: String?, outcome: String?, runs: [RunRecord]) {
    self.job = job
    self.outcome = outcome
    self.runs = runs
  }

  private static let outcomes = ["newData", "noData", "failed"]

  /// Returns the page.
  package func html(_ frame: PageFrame) -> HTML {
    let title = job.map { "Runs of \($0)" } ?? "Runs"
    let base = LocalAddress("runs").adding("job", job)
    let choices =
      [(label: "all", address: base)]
      + Self.outcomes.map { (label: $0, address: base.adding("outcome", $0)) }
    let current = outcome.flatMap { Self.outcomes.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let content: HTML = """
      <div class="heading"><h1>\(title)</h1>\
      \(frame.filters("Outcomes shown", choices, current: current))</div>
      \(runs.isEmpty
        ? frame.empty(
          next != nil
            ? "No run on this page belongs to a job that you may see."
            : outcome == nil
              ? "There are no ended runs to show." : "There are no runs with this outcome to show.")
        : RunTable.html(runs, showsJob: job == nil, frame))
      \(runs.isEmpty && next == nil
        ? ""
        : frame.pager(next, shown: counted(runs.count, "run"), sizes: sizes))
      """
    return frame.page(title: title, section: .runs, content)
  }

  private var sizes: PageSizes? {
    if next == nil && runs.count <= (PageSizes.counts.first ?? 0) { return nil }
    let base = LocalAddress("runs").adding("job", job).adding("outcome", outcome)
    return PageSizes(current: rowsMax, base: base)
  }
}

/// The table of runs that several pages show.
enum RunTable {
  static func html(_ runs: [RunRecord], showsJob: Bool, _ frame: PageFrame) -> HTML {
    let rows = runs.map { run -> HTML in
      let address = LocalAddress("runs", run.run.description)
      let name: HTML = showsJob ? "<td class=\"name\">\(frame.jobLink(run.job))</td>" : ""
      return """
        <tr><td class="next"><a href="\(address)">\(frame.time(run.startedAt))</a></td>\(name)\
        <td class="result">\(frame.outcome(run.outcome))</td>\
        <td class="number">\(ShownTime.seconds(run.duration))</td>\
        <td class="number wide">\(run.requestCount)</td>\
        <td class="number wide">\(ByteSize(bytes: Int64(run.receivedBytes)).decimal)</td>\
        <td class="wide">\(run.trigger.rawValue)</td></tr>
        """
    }
    let name: [(heading: HTML, style: String)] = showsJob ? [("Job", "name")] : []
    return frame.table(
      "Runs", style: "runs",
      columns: [("Began", "next")] + name + [
        ("Result", "result"), ("Took", "number"), ("Requests", "number wide"),
        ("Received", "number wide"), ("Trigger", "wide"),
      ], rows)
  }
}

/// The page of one run. For a failed run that can be replayed, the page has the command that
/// replays it.
package struct RunPage: Sendable {
  package var run: RunRecord
  /// Whether `fetchrun replay` can repeat the run.
  package var isReplayable: Bool
  /// Whether a requested run of the job can start.
  package var canRunAgain = true

  package init(_ run: RunRecord, isReplayable: Bool) {
    self.run = run
    self.isReplayable = isReplayable
  }

  /// Returns the page.
  package func html(_ frame: PageFrame) -> HTML {
    let again: HTML =
      frame.viewer.acts && canRunAgain
      ? frame.action("Run again", LocalAddress("jobs", run.job.text, "run"), about: run.job.text)
      : ""
    let facts: [(String, HTML)] = [
      ("Began", frame.time(run.startedAt)), ("Took", "\(ShownTime.seconds(run.duration))"),
      ("CPU time of the plugin", "\(ShownTime.seconds(run.cpu))"),
      ("Requests", "\(run.requestCount)"),
      ("Received", "\(ByteSize(bytes: Int64(run.receivedBytes)).decimal)"),
      ("Trigger", "\(run.trigger.rawValue)"), ("Plugin", "\(run.plugin.text)"),
      ("Next run", frame.time(run.nextDueAt)), ("Id", "<code>\(run.run.description)</code>"),
    ]
    let content: HTML = """
      <div class="heading"><h1>Run of \(frame.jobLink(run.job))</h1>\
      <p class="facts">\(frame.outcome(run.outcome))</p>\(again)</div>
      \(failure)
      <dl class="fields">\(each: facts, { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" })</dl>
      """
    return frame.page(title: "Run of \(run.job)", section: .runs, content)
  }

  private var failure: HTML {
    guard let failure = run.outcome.failure else { return "" }
    let place = failure.file.map { file in
      "\(file)\(failure.line.map { ":\($0)" } ?? "")"
    }
    let replay: HTML =
      isReplayable
      ? """
      <p>The run's answers are kept. Repeat the run without the network:</p>
      <pre>fetchrun replay \(run.run.description)</pre>
      """
      : ""
    return """
      <section class="failure" aria-labelledby="failure"><h2 id="failure">Why it failed</h2>
      <p>\(failure.message)</p>\
      <p class="facts"><code>\(failure.code.rawValue)</code>\
      \(place.map { " · <code>\($0)</code>" as HTML })\
      \(failure.retryable ? " · a later run may succeed" : "")</p>\(replay)</section>
      """
  }
}
