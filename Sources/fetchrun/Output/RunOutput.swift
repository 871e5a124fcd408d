import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchValues
import Glibc

/// How runs are shown: JSON lines for programs, text for people.
///
/// Text on standard output begins with one line per run, `newData`, `noData` or `failed` first, so
/// that scripts can read it too; its items follow, indented. Everything else is a message.
struct RunOutput: Sendable {
  let asJSON: Bool
  /// The log of a daemon as JSON, which gets all messages; nil where they are text.
  let log: DaemonLog?
  /// The store of the runs, where it is not the one that is read unless another is named.
  var store: String?
  private let terminal = Terminal.current

  init(asJSON: Bool, logsJSON: Bool = false) {
    self.asJSON = asJSON
    log = logsJSON ? DaemonLog(asJSON: true) : nil
  }

  /// Items of one run that are listed; the rest is counted.
  static let listedMax = 50

  func message(_ text: String) {
    if let log { return log.write(LogEntry(text)) }
    terminal.message("fetchrun: " + PlainText.line(text))
  }

  /// Shows each run as it ends, without its items, and what a person should know as messages.
  var events: EventSink { EventSink { show($0) } }

  /// Shows each run as it ends, with its items, and all else as messages.
  var eventsWithItems: EventSink {
    EventSink { event in
      if case .runEnded(let report) = event { return self.report(report) }
      show(event)
    }
  }

  /// Shows each run as it ends, without its items.
  var results: EventSink {
    EventSink { event in
      if case .runEnded(let report) = event { self.report(report, items: false) }
    }
  }

  func show(_ event: Event) {
    if case .runEnded(let report) = event { return self.report(report, items: false) }
    // A command that ends then has shown the news itself.
    if case .delivered = event { return }
    guard let entry = event.entry else { return }
    if let log { return log.write(entry) }
    if case .transferEnded = event { progress("") }
    message(entry.line)
  }

  func progress(_ text: String) { if !asJSON { terminal.progress(PlainText.line(text)) } }

  /// What a run may reach, before it starts; `filesPath` is the job's own folder.
  func granted(_ job: Job, filesPath: String) {
    let quota = job.files.quota
    let files =
      "may keep \(ByteSize(bytes: quota.bytes)) in \(quota.count) files in \(filesPath)"
    granted(job.name, job.grant.phrases(files: job.plugin.usesFiles ? files : nil))
  }

  /// What a hook file may do.
  func granted(_ hook: LuaHook) { granted("hook \(hook.name)", hook.grant.phrases()) }

  private func granted(_ holder: String, _ phrases: [String]) {
    let all = phrases.isEmpty ? "may reach nothing" : phrases.joined(separator: "; ")
    message("\(holder) \(all)")
  }

  /// Said after runs of which nothing is kept.
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

  /// An item of a run, for programs.
  func line(_ item: StoredItem) { terminal.output(json: item.json) }

  func run(_ record: RunRecord) {
    if asJSON { return terminal.output(json: record.json) }
    terminal.output("\(record.startedAt.description.prefix(19))  \(headline(record))")
  }

  /// A line of a daemon's answer: as it is for programs, else as its text, if it has one.
  func control(_ line: Value, text: () -> String? = { nil }) {
    if asJSON {
      if let json = try? JSONWriter.text(line) { terminal.output(json: json) }
    } else if let text = text() {
      terminal.output(PlainText.line(text))
    }
  }

  /// Whether a progress line is seen by anybody.
  var showsProgress: Bool { !asJSON && terminal.errorIsTerminal }

  func problem(_ problem: PluginProblem) {
    if asJSON { terminal.output(json: problem.json) } else { terminal.message(problem.description) }
  }

  func problems(_ problems: ConfigProblems) { for problem in problems.all { show(problem) } }

  func show(_ problem: ConfigProblem) {
    if asJSON { terminal.output(json: problem.json) } else { message(problem.description) }
  }

  /// `newData  reuters  20 added, 0 updated, 0 removed  (1 request, 19.3 KB, 0.042 s, 3.1 ms CPU)`
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
    let job = PlainText.line(record.job)
    return "\(word)  \(job)  \(PlainText.line(detail))  \(cost(record))"
  }

  /// `sameBody; 6 downloads queued`. Of a run without items what is said beside it is the better word, and so
  /// it is of a first run whose items are new and no news.
  private static func text(_ reason: NoDataReason, _ note: String?) -> String {
    guard let note else { return reason.rawValue }
    return reason == .empty || FirstRunNote.begins(note) ? note : "\(reason.rawValue); \(note)"
  }

  private static func text(_ counts: ChangeCounts) -> String {
    "\(counts.added) added, \(counts.updated) updated, \(counts.removed) removed"
  }

  private func cost(_ record: RunRecord) -> String {
    let requests = record.requestCount == 1 ? "1 request" : "\(record.requestCount) requests"
    let text =
      "(\(requests), \(ByteSize(bytes: Int64(record.receivedBytes)))"
      + ", \(record.duration.decimalSeconds(fractionDigits: 3)) s"
      + ", \(record.cpu.decimalSeconds(fractionDigits: 4)) s CPU)"
    return terminal.styled(text, .dim)
  }

  /// How the news of a run that is shown come to be shown: as JSON each as it is stored.
  var news: RunNews {
    asJSON ? .each { [terminal] in terminal.output(json: $0.json) } : .last(Self.listedMax)
  }

  private func list(_ report: RunReport) {
    for line in report.lines.suffix(Self.listedMax).reversed() { terminal.output(row(line)) }
    if report.newsCount > Self.listedMax {
      terminal.output("  … and \(report.newsCount - Self.listedMax) more: \(itemsCommand)")
    }
  }

  /// The command that lists the items of the store.
  private var itemsCommand: String {
    store.map { SuggestedCommand.reading("items", $0) } ?? SuggestedCommand().command("items")
  }

  /// `  + 2026-11-20 18:05  Title  https://…`, in the width of a terminal.
  func row(_ line: StoredItem, withJob: Bool = false) -> String {
    let time = (line.published ?? line.seenAt.description).prefix(16)
    let date = String(time.replacing("T", with: " ", maxReplacements: 1))
    let title = PlainText.line(line.shownTitle)
    // An item without a title is shown by its URL.
    let url = line.title?.isEmpty == false ? PlainText.line(line.url ?? "") : ""
    let mark = line.change.mark + (withJob ? " \(PlainText.line(line.job))" : "")
    guard let width = terminal.width else { return "  \(mark) \(date)  \(title)  \(url)" }
    let room = max(20, width - date.count - mark.count - 7)
    let shownTitle = PlainText.cut(title, to: room)
    let left = max(0, room - shownTitle.count)
    // A few characters of a longer one are of no use.
    let shownURL = url.count <= left || left > 12 ? PlainText.cut(url, to: left) : ""
    return "  \(mark) \(terminal.styled(date, .dim))  \(shownTitle)  "
      + terminal.styled(shownURL, .dim)
  }

  func log(_ line: LogLine, of job: String) {
    if let log { return log.write(LogEntry(line.message, line.level, job: job)) }
    terminal.message(PlainText.line("\(job): \(line.level.rawValue): \(line.message)"))
  }

  /// What the program ends with after these runs. Says why no plugin is run, where that is the reason.
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
  /// One character for lists.
  var mark: String {
    switch self {
    case .added: "+"
    case .updated: "~"
    case .removed: "-"
    case .baseline: "."
    }
  }
}
