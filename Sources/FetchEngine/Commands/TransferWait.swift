import FetchHost
import FetchStore

/// A command's wait for its transfers, before the command ends.
///
/// If pending transfers are left after the wait, the event `Event.transfersLeft` reports their
/// number. Transfers of held or removed jobs do not count.
struct TransferWait: Sendable {
  /// The longest wait for the start of the next transfer. The command leaves transfers that begin
  /// later to another process.
  static let patience: Duration = .seconds(60)
  private static let progressPeriod: Duration = .milliseconds(300)

  private let service: TransferService
  private let onProgress: TransferProgressHandler?
  private let clock = HostClock()

  init(_ service: TransferService, onProgress: TransferProgressHandler?) {
    self.service = service
    self.onProgress = onProgress
  }

  /// Lets other processes cancel and retry the transfers until the returned server is stopped.
  /// Returns nil if the server cannot listen.
  func answerOthers() -> ControlServer? {
    let state = StateFolder(of: service.store.address)
    guard let path = try? state.transferSocket() else { return nil }
    let server = ControlServer(path: path, handler: TransferHandler(TransferCommands(service)))
    do throws(ControlError) { try server.start() } catch { return nil }
    return server
  }

  /// Carries out transfers until `ending` is reached or the task is cancelled. By default, ends
  /// when no transfer is under way and none begins within `patience`. The remaining transfers stay
  /// queued.
  func wait(until ending: WakeLoop.Ending = .idle(patience: patience)) async {
    let meter = onProgress.map { report in
      Task(executorPreference: HostExecutor.shared) { await self.reportProgress(to: report) }
    }
    await service.run(until: ending)
    meter?.cancel()
    await meter?.value
    onProgress?(nil)
    let count = service.progress.pendingCount
    if count > 0 { service.setup.events.emit(.transfersLeft(count: count)) }
  }

  private func reportProgress(to report: TransferProgressHandler) async {
    while !Task.isCancelled {
      let progress = service.progress
      if progress.runningCount > 0 { report(progress) }
      try? await clock.sleep(for: Self.progressPeriod)
    }
  }
}

/// A function that receives the progress of a command's transfers at short intervals. It receives
/// nil when the command no longer waits.
package typealias TransferProgressHandler = @Sendable (TransferProgress?) -> Void
