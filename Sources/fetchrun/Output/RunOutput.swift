import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// The output of runs: JSON lines for programs, or text for people.
///
/// In text, the line of a run has the word `newData`, `noData` or `failed`, for scripts. If items
/// of the run are shown, they follow, indented. Messages are written to standard error.
struct RunOutput: Sendable {
  let asJSON: Bool
  /// The JSON log of a daemon, which receives all messages; nil if messages are text.
  let log: DaemonLog?
  /// The runs' store; nil for the default store.
  var store: StoreAddress?
  private let terminal = Terminal.current

  init(asJSON: Bool, logsJSON: Bool = false) {
    self.asJSON = asJSON
    log = logsJSON ? DaemonLog(asJSON: true) : nil
  }

  /// The maximum number of items that are listed as text for one run. Further items are only
  /// counted.
  static let listedMax = 50

  func message(_ text: String) {
    if let log { return log.write(LogEntry(text)) }
    terminal.message("fetchrun: " + PlainText.line(text))
  }

  /// A sink that shows each ended run without its items, and most other events as messages.
  var events: EventSink { EventSink { show($0) } }

  /// A sink that shows each ended run with its items, and most other events as messages.
  var eventsWithItems: EventSink {
    EventSink { event in
      if case .runEnded(let report) = event { return self.report(report) }
      show(event)
    }
  }

  /// A sink that shows each ended run without its items, and no other events.
  var results: EventSink {
    EventSink { event in
      if case .runEnded(let report) = event { self.report(report, items: false) }
    }
  }

  func show(_ event: Event) {
    if case .runEnded(let report) = event { return self.report(report, items: false) }
    // A completed delivery needs no message.
    if case .delivered = event { return }
    guard let entry = event.entry else { return }
    if let log { return log.write(entry) }
    if case .transferEnded = event { progress("") }
    message(entry.line)
  }

  func progress(_ text: String) { if !asJSON { terminal.progress(PlainText.line(text)) } }

  /// Prints the grants of a job before its run. `filesPath` is the folder for the job's files.
  func granted(_ job: Job, filesPath: String) {
    let quota = job.files.quota
    let files =
      "may keep up to \(ByteSize(bytes: quota.bytes)) in up to \(quota.count) files and folders in "
      + filesPath
    granted(job.name.text, job.grant.phrases(files: job.plugin.usesFiles ? files : nil))
  }

  func granted(_ hook: LuaHook) { granted("hook \(hook.name)", hook.grant.phrases()) }

  private func granted(_ holder: String, _ phrases: [String]) {
    let all = phrases.isEmpty ? "has no permissions" : phrases.joined(separator: "; ")
    message("\(holder) \(all)")
  }

  /// The message after a dry run.
  static let nothingStored = "dry run: nothing was stored"

  func report(_ report: RunReport, items: Bool = true) {
    progress("")
    for line in report.logs { log(line, of: report.record.job) }
    if asJSON {
      if items { for line in report.lines { terminal.output(json: line.json) } }
      terminal.output(json: report.record.json)
    } else {
      terminal.output(headline(report.record))
      if items { list(report) }
      if case .failed(let failure) = report.record.outcome, !failure.isOfServer {
        for frame in failure.traceback { terminal.message("  " + PlainText.line(frame)) }
      }
    }
  }

  func line(_ item: StoredItem) { terminal.output(json: item.json) }

  func run(_ record: RunRecord) {
    if asJSON { return terminal.output(json: record.json) }
    terminal.output("\(record.startedAt.description.prefix(19))  \(headline(record))")
  }

  /// Prints `line`, such as a line of a daemon's answer, as JSON for programs. For people, prints
  /// `text` instead, or nothing if `text` returns nil.
  func control(_ line: Value, text: () -> String? = { nil }) {
    if asJSON {
      if let json = try? JSONWriter.text(line) { terminal.output(json: json) }
    } else if let text = text() {
      terminal.output(PlainText.line(text))
    }
  }

  /// Whether a progress line would be visible.
  var showsProgress: Bool { !asJSON && terminal.errorIsTerminal }

  func problem(_ problem: PluginProblem) {
    if asJSON { terminal.output(json: problem.json) } else { terminal.message(problem.description) }
  }

  func problems(_ problems: ConfigProblems) { for problem in problems.all { show(problem) } }

  func show(_ problem: ConfigProblem) {
    if asJSON { terminal.output(json: problem.json) } else { message(problem.description) }
  }

  /// Returns a run's line, such as
  /// `newData  reuters  20 added, 0 updated, 0 removed  (1 request, 19.3 kB, 0.04 s, 0.003 s CPU)`.
  private func headline(_ record: RunRecord) -> String {
    let detail: String
    let style: Terminal.Style
    switch record.outcome {
    case .newData(let counts):
      detail = Self.text(counts) + (record.note.map { "; \($0)" } ?? "")
      style = .green
    case .noData(let reason):
      detail = Self.text(reason, record.note)
      style = .dim
    case .failed(let failure):
      let stored = record.counts
      detail = failure.described + (stored.total > 0 ? "; stored before: \(Self.text(stored))" : "")
      style = .red
    }
    let word = terminal.styled(record.outcome.word, style)
    let job = PlainText.line(record.job.text)
    return "\(word)  \(job)  \(PlainText.line(detail))  \(cost(record))"
  }

  /// Returns the reason and the note, if any, such as `sameBody; 6 downloads queued`. If there is a
  /// note, and the run was empty or the note is about a first run, returns only the note.
  private static func text(_ reason: NoDataReason, _ note: String?) -> String {
    guard let note else { return reason.rawValue }
    return reason == .empty || FirstRunNote.begins(note) ? note : "\(reason.rawValue); \(note)"
  }

  private static func text(_ counts: ChangeCounts) -> String {
    "\(counts.added) added, \(counts.updated) updated, \(counts.removed) removed"
  }

  private func cost(_ record: RunRecord) -> String {
    let requests = record.requestCount == 1 ? "1 request" : "\(record.requestCount) requests"
    let size = ByteSize(bytes: Int64(record.receivedBytes)).description
    let seconds = record.duration.decimalSeconds(fractionDigits: 3)
    let cpuSeconds = record.cpu.decimalSeconds(fractionDigits: 4)
    return terminal.styled("(\(requests), \(size), \(seconds) s, \(cpuSeconds) s CPU)", .dim)
  }

  /// The rule for printing the news of a run. For JSON output, each item is printed as soon as it
  /// is stored. For text, only the last items are kept, for the report at the end of the run.
  var news: RunNews {
    asJSON ? .each { [terminal] in terminal.output(json: $0.json) } : .last(Self.listedMax)
  }

  private func list(_ report: RunReport) {
    for line in report.lines.suffix(Self.listedMax).reversed() { terminal.output(row(line)) }
    if report.newsCount > Self.listedMax {
      terminal.output("  … and \(report.newsCount - Self.listedMax) more: \(itemsCommand)")
    }
  }

  /// The command that the user types to list the items of the store.
  private var itemsCommand: String {
    store.map { SuggestedCommand.reading("items", $0) } ?? SuggestedCommand().command("items")
  }

  /// Returns an item's line, such as `  + 2026-11-20 18:05  Title  https://…`. On a terminal,
  /// shortens the title and the URL to fit its width, but not to less than 20 characters together.
  func row(_ line: StoredItem, withJob: Bool = false) -> String {
    var date = String((line.published ?? line.seenAt.description).prefix(16))
    if let mark = date.firstIndex(of: "T") { date.replaceSubrange(mark...mark, with: " ") }
    let title = PlainText.line(line.shownTitle)
    // The URL of an item without a title is left out here, since it may be shown in place of the
    // title.
    let url = line.title?.isEmpty == false ? PlainText.line(line.url ?? "") : ""
    let mark = line.change.mark + (withJob ? " \(PlainText.line(line.job.text))" : "")
    guard let width = terminal.width else { return "  \(mark) \(date)  \(title)  \(url)" }
    let room = max(20, width - date.count - mark.count - 7)
    let shownTitle = PlainText.cut(title, to: room)
    let left = max(0, room - shownTitle.count)
    // A long URL is not shortened to only a few characters, because they would be useless.
    let shownURL = url.count <= left || left > 12 ? PlainText.cut(url, to: left) : ""
    return "  \(mark) \(terminal.styled(date, .dim))  \(shownTitle)  "
      + terminal.styled(shownURL, .dim)
  }

  func log(_ line: LogLine, of job: JobName) {
    if let log { return log.write(LogEntry(line.message, line.level, job: job)) }
    terminal.message(PlainText.line("\(job): \(line.level.rawValue): \(line.message)"))
  }

  /// Returns the exit status after the given runs; nil for success. If no plugin may run on this
  /// machine, prints the reason.
  func exitCode(for records: [RunRecord], errorOnNoData: Bool) -> ExitCode? {
    var hasNews = false
    for record in records {
      switch record.outcome {
      case .failed(let failure) where Confinement.isRefusal(failure): return stopped(by: failure)
      case .failed: return ExitStatus.runFailed
      case .newData: hasNews = true
      case .noData: break
      }
    }
    return errorOnNoData && !hasNews ? ExitStatus.noNewData : nil
  }
}

extension ChangeKind {
  /// The character that marks the kind of change in lists.
  var mark: String {
    switch self {
    case .added: "+"
    case .updated: "~"
    case .removed: "-"
    case .baseline: "."
    }
  }
}

extension RunOutput {
  /// Prints a message for each problem in the error that stops a verb, and returns the exit status.
  func stopped(by error: any Error) -> ExitCode {
    switch error {
    case let problems as ConfigProblems:
      self.problems(problems)
      return ExitStatus.badPlugin
    case let problems as PluginProblems:
      if let refusal = problems.refusal { return stopped(by: refusal) }
      for problem in problems.all { message(problem.description) }
      return ExitStatus.badPlugin
    case let problems as OptionProblems:
      for text in problems.messages { message(text) }
      return ExitStatus.usage
    case let failure as Failure where Confinement.isRefusal(failure):
      message(failure.message)
      return ExitStatus.badPlugin
    default:
      message("\(error)")
      return ExitStatus.runFailed
    }
  }

  /// Prints a warning about something that the user may not expect. The command continues.
  func warning(_ text: String) {
    if let log { return log.write(LogEntry(text, .warning)) }
    message("warning: " + text)
  }
}
