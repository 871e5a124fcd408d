import ArgumentParser
import FetchEngine
import FetchModel
import FetchValues
import Synchronization

/// The output of runs that end in a daemon or in this process, and the exit status that results
/// from the runs.
final class RunsShown: Sendable {
  private struct State {
    var records: [RunRecord] = []
    var awaitedCount: Int?
    var notRunCount = 0
  }

  private let output: RunOutput
  /// The options of the commands that messages suggest.
  private let suggested: SuggestedCommand
  /// The function that shows a run that ended in the daemon. If it is nil, the run is shown without
  /// its items.
  private let showEnd: (@Sendable (RunRecord) -> Void)?
  private let state = Mutex(State())

  init(
    _ output: RunOutput, suggested: SuggestedCommand = SuggestedCommand(),
    show: (@Sendable (RunRecord) -> Void)? = nil
  ) {
    self.output = output
    self.suggested = suggested
    showEnd = show
  }

  /// A sink that shows the events of runs in this process.
  var events: EventSink {
    EventSink { [self] event in
      output.show(event)
      if case .runEnded(let report) = event, report.record.trigger != .transfer {
        count(report.record)
      }
    }
  }

  /// Shows a line of a daemon's answer. Ignores unknown lines, which a daemon of another version of
  /// fetchrun may send.
  func show(_ line: Value) {
    if let answer = RunAnswer(line) { show(answer) }
  }

  func show(_ answer: RunAnswer) {
    switch answer {
    case .awaited(let count):
      state.withLock { $0.awaitedCount = count }
      if count > 0, output.showsProgress { output.progress("0 of \(count)") }
    case .log(let job, let line):
      output.progress("")
      output.log(line, of: JobName(job))
    case .ended(let record):
      if let showEnd {
        showEnd(record)
        return state.withLock { $0.records.append(record) }
      }
      output.report(RunReport(record: record), items: false)
      count(record)
    case .notice(let job, let sentence):
      output.progress("")
      output.message("\(job): \(sentence)")
    case .notDue(let job, let why):
      let command = suggested.command("run", of: .job(JobName(job)))
      output.progress("")
      output.message("\(job) is not due: \(why); to run it now, type `\(command)`")
    case .refused(let job, let why): leave("\(job) does not run: \(why)")
    case .notRun(let job, let why): leave("\(job) did not run: \(why)")
    }
  }

  private func count(_ record: RunRecord) {
    let (ended, awaited) = state.withLock { state in
      state.records.append(record)
      return (state.records.count, state.awaitedCount)
    }
    if let awaited, output.showsProgress { output.progress("\(ended) of \(awaited)") }
  }

  private func leave(_ message: String) {
    output.progress("")
    output.message(message)
    state.withLock { $0.notRunCount += 1 }
  }

  /// Returns the exit status after all shown runs; nil for success.
  func exitCode(errorOnNoData: Bool) -> ExitCode? {
    let state = state.withLock { $0 }
    let allRan = state.notRunCount == 0
    let code = output.exitCode(for: state.records, errorOnNoData: errorOnNoData && allRan)
    return code ?? (allRan ? nil : ExitStatus.notRun)
  }
}
