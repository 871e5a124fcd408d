import FetchEngine
import ServiceLifecycle

/// The jobs' runs: a graceful shutdown starts no more and lets those under way end.
struct RunLoopService: Service {
  let loop: RunLoop
  let report: @Sendable (RunReport) -> Void
  let notice: @Sendable (JobNotice) -> Void

  func run() async {
    await withGracefulShutdownHandler {
      await loop.run(until: .stopped, report: report, notice: notice)
    } onGracefulShutdown: {
      loop.drain()
    }
  }
}
