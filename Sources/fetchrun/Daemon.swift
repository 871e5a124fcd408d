import ArgumentParser
import Dispatch
import FetchConfig
import FetchEngine
import FetchModel
import Glibc
import Synchronization

/// `serve` after its start: the loop, and what signals do to it.
final class Daemon: Sendable {
  private let service: JobService
  private let grace: Duration
  private let output: RunOutput
  private let socket: String
  private let reload: @Sendable () async throws -> Void
  private let signals = Mutex(0)

  init(
    service: JobService, socket: String, grace: Duration, output: RunOutput,
    reload: @escaping @Sendable () async throws -> Void
  ) {
    self.service = service
    self.socket = socket
    self.grace = grace
    self.output = output
    self.reload = reload
  }

  /// Returns when the last run has ended after a signal.
  func run() async throws(ControlError) {
    let control = ControlServer(
      path: socket, handler: service.control(reload: { [self] in await reloadConfig() }))
    try control.start()
    await serve()
    await control.stop()
  }

  private func serve() async {
    let sources =
      [SIGINT, SIGTERM].map { source($0) { [self] in stop() } }
      + [source(SIGHUP) { [self] in Task { await reloadConfig() } }]
    await service.loop.run(until: .stopped) { report in
      output.report(report, items: false)
    } notice: { notice in
      output.message("\(notice.job): \(notice.notice.sentence)")
    }
    for source in sources { source.cancel() }
  }

  private func source(
    _ number: Int32, _ action: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: action)
    source.resume()
    return source
  }

  /// The first time lets runs end, for so long as the grace is; the second time ends them.
  private func stop() {
    let count = signals.withLock { count in
      count += 1
      return count
    }
    service.loop.drain()
    guard count == 1 else { return service.loop.cancelRuns() }
    output.message("stopping: \(service.jobs.runningCount) runs under way")
    Task { [self] in
      try? await Task.sleep(for: grace)
      service.loop.cancelRuns()
    }
  }

  @discardableResult
  private func reloadConfig() async -> ControlEnd {
    do {
      try await reload()
      output.message("read the config again: \(service.jobs.look(\.count)) jobs")
      return .done
    } catch let problems as ConfigProblems {
      output.problems(problems)
    } catch {
      output.message("\(error)")
    }
    let message = "the config is not taken over; the old one goes on"
    output.message(message)
    return .failed(message, status: ExitStatus.badPlugin.rawValue)
  }
}
