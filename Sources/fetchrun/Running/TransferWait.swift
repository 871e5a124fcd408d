import FetchEngine
import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// A command that waits for its transfers: tells of each as it ends, and how far they are on a
/// terminal.
final class TransferWait: Sendable {
  /// One that could not begin for so long is left to another time.
  static let patience: Duration = .seconds(60)

  private let service: TransferService
  private let output: RunOutput
  private let showsItems: Bool
  private let runs = Mutex<[RunRecord]>([])
  private let failedCount = Atomic(0)
  private let clock = HostClock()

  /// `showsItems`: the news of the runs in which plugins are told.
  init(_ service: TransferService, _ output: RunOutput, showsItems: Bool = false) {
    self.service = service
    self.output = output
    self.showsItems = showsItems
  }

  /// The runs in which plugins were told.
  var records: [RunRecord] { runs.withLock { $0 } }
  var hasFailures: Bool { failedCount.load(ordering: .relaxed) > 0 }

  /// Lets others change what is waited for here, until what it returns is stopped. Without a socket,
  /// or before, they wait until the store is free.
  func answerOthers(at state: StateFolder) -> ControlServer? {
    guard let path = try? state.transferSocket() else { return nil }
    let server = ControlServer(path: path, handler: TransferHandler(service))
    do throws(ControlError) { try server.start() } catch { return nil }
    return server
  }

  /// Returns when nothing is under way and nothing begins soon, or when the task is cancelled; what
  /// is left then stays queued, and that is said.
  func wait(until ending: WakeLoop.Ending = .idle(patience: patience)) async {
    let meter = Task(executorPreference: HostExecutor.shared) { [self] in await showProgress() }
    await service.run(until: ending) { report in
      output.report(report, items: showsItems)
      runs.withLock { $0.append(report.record) }
    } ended: { record in
      show(record)
    }
    meter.cancel()
    await meter.value
    output.progress("")
    sayWhatIsLeft()
  }

  private func show(_ record: TransferRecord) {
    output.progress("")
    if record.state == .failed { failedCount.add(1, ordering: .relaxed) }
    output.transfer(record)
  }

  private func sayWhatIsLeft() {
    let count = service.progress.pendingCount
    if count == 0 { return }
    let are = count == 1 ? "stays" : "stay"
    output.message(
      "\(counted(count, "transfer")) \(are) queued; the next run, or fetchrun serve, goes on with"
        + " what is there")
  }

  private static let lookPeriod: Duration = .milliseconds(300)

  private func showProgress() async {
    guard output.showsProgress else { return }
    var meter = TransferMeter()
    while !Task.isCancelled {
      let progress = service.progress
      if progress.runningCount > 0 { output.progress(meter.line(progress, at: .now)) }
      try? await clock.sleep(for: Self.lookPeriod)
    }
  }
}
