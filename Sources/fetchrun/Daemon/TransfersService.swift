import FetchEngine
import FetchModel
import ServiceLifecycle

/// The jobs' transfers: a graceful shutdown breaks them off, to be gone on with another time, and
/// lets the runs end in which plugins are told.
struct TransfersService: Service {
  let transfers: TransferService
  let report: @Sendable (RunReport) -> Void
  let ended: @Sendable (TransferRecord) -> Void

  func run() async {
    await withGracefulShutdownHandler {
      await transfers.run(until: .stopped, report: report, ended: ended)
    } onGracefulShutdown: {
      transfers.drain()
    }
  }
}
