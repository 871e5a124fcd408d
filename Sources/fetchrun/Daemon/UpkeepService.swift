import FetchEngine
import ServiceLifecycle

/// Retention of the store: a graceful shutdown begins no further step.
struct UpkeepService: Service {
  let upkeep: StoreUpkeep

  func run() async {
    await withGracefulShutdownHandler {
      await upkeep.run()
    } onGracefulShutdown: {
      upkeep.drain()
    }
  }
}
