import FetchEngine
import ServiceLifecycle

/// What hooks are told: a graceful shutdown begins nothing more and lets what is under way end.
struct DeliveriesService: Service {
  let deliveries: DeliveryService

  func run() async {
    await withGracefulShutdownHandler {
      await deliveries.run(until: .stopped)
    } onGracefulShutdown: {
      deliveries.drain()
    }
  }
}
