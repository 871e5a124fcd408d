import ArgumentParser
import FetchEngine
import FetchModel
import FetchValues
import Synchronization

/// Runs that a daemon executes in our place, shown as if they were our own.
final class DaemonRuns: Sendable {
  private struct State {
    var records: [RunRecord] = []
    var awaitedCount = 0
    var notRunCount = 0
  }

  private let output: RunOutput
  /// What is shown of a run that has ended; without its items unless set.
  private let showEnd: (@Sendable (RunRecord) -> Void)?
  private let state = Mutex(State())

  init(_ output: RunOutput, show: (@Sendable (RunRecord) -> Void)? = nil) {
    self.output = output
    showEnd = show
  }

  /// Shows a line of the daemon's answer; another version's, which is not understood, is passed
  /// over.
  func show(_ line: Value) {
    switch RunAnswer(line) {
    case .awaited(let count): state.withLock { $0.awaitedCount = count }
    case .log(let job, let line): output.log(line, of: job)
    case .ended(let record):
      if let showEnd {
        showEnd(record)
        return state.withLock { $0.records.append(record) }
      }
      output.report(RunReport(record: record), items: false)
      let (ended, awaited) = state.withLock { state in
        state.records.append(record)
        return (state.records.count, state.awaitedCount)
      }
      output.progress("\(ended) of \(awaited)")
    case .notice(let job, let sentence): output.message("\(job): \(sentence)")
    case .refused(let job, let why): leave("\(job) does not run: \(why)")
    case .notRun(let job, let why): leave("\(job) did not run: \(why)")
    case nil: break
    }
  }

  private func leave(_ message: String) {
    output.progress("")
    output.message(message)
    state.withLock { $0.notRunCount += 1 }
  }

  /// What the program ends with when all was told.
  func exitCode(errorOnNoData: Bool) -> ExitCode? {
    let state = state.withLock { $0 }
    let allRan = state.notRunCount == 0
    let code = output.exitCode(for: state.records, errorOnNoData: errorOnNoData && allRan)
    return code ?? (allRan ? nil : ExitStatus.notRun)
  }
}
