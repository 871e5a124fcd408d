import FetchEngine
import ServiceLifecycle

/// Who is told of jobs that are stale.
struct StaleService: Service {
  let stale: StaleWatch

  func run() async {
    await withGracefulShutdownHandler {
      await stale.run()
    } onGracefulShutdown: {
      stale.drain()
    }
  }
}
