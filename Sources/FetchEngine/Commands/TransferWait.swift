import FetchHost
import FetchStore

/// The wait of a command for its transfers, before it ends.
///
/// When it is over, `Event.transfersLeft` counts what stays queued.
struct TransferWait: Sendable {
  /// A transfer that cannot begin within this time is left to another process.
  static let patience: Duration = .seconds(60)
  private static let progressPeriod: Duration = .milliseconds(300)

  private let service: TransferService
  private let onProgress: TransferProgressHandler?
  private let clock = HostClock()

  /// - Parameter onProgress: receives the progress; nil if it is not shown.
  init(_ service: TransferService, onProgress: TransferProgressHandler?) {
    self.service = service
    self.onProgress = onProgress
  }

  /// Lets other processes cancel and retry the transfers until the returned server is stopped.
  /// Without a socket, or before this call, they wait until the store is free.
  func answerOthers() -> ControlServer? {
    let state = StateFolder(of: service.store.address)
    guard let path = try? state.transferSocket() else { return nil }
    let server = ControlServer(path: path, handler: TransferHandler(TransferCommands(service)))
    do throws(ControlError) { try server.start() } catch { return nil }
    return server
  }

  /// Returns when nothing is under way and nothing begins soon, or when the task is cancelled. The
  /// remaining transfers stay queued.
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

/// Receives the progress of a command's transfers at short intervals; nil when the command no
/// longer waits.
package typealias TransferProgressHandler = @Sendable (TransferProgress?) -> Void
