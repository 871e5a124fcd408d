import FetchEngine
import FetchHost
import FetchModel
import FetchValues

/// A command that waits for its transfers and shows on a terminal how far they are.
final class TransferWait: Sendable {
  /// One that could not begin for so long is left to another time.
  static let patience: Duration = .seconds(60)

  private let service: TransferService
  private let output: RunOutput
  private let tally: RunTally
  private let clock = HostClock()

  /// - Parameter tally: counts what the service's events bring.
  init(_ service: TransferService, _ tally: RunTally, _ output: RunOutput) {
    self.service = service
    self.tally = tally
    self.output = output
  }

  /// The runs in which plugins were notified.
  var records: [RunRecord] { tally.notified }
  var hasFailures: Bool { tally.failedTransferCount > 0 }

  /// Lets others change what is waited for here, until what it returns is stopped. Without a socket,
  /// or before, they wait until the store is free.
  func answerOthers(at state: StateFolder) -> ControlServer? {
    guard let path = try? state.transferSocket() else { return nil }
    let server = ControlServer(path: path, handler: TransferHandler(TransferCommands(service)))
    do throws(ControlError) { try server.start() } catch { return nil }
    return server
  }

  /// Returns when nothing is under way and nothing begins soon, or when the task is cancelled; what
  /// is left then stays queued, and that is said.
  func wait(until ending: WakeLoop.Ending = .idle(patience: patience)) async {
    let meter = Task(executorPreference: HostExecutor.shared) { [self] in await showProgress() }
    await service.run(until: ending)
    meter.cancel()
    await meter.value
    output.progress("")
    sayWhatIsLeft()
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
