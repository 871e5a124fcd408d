import FetchHost
import FetchModel

/// The wait of a command for the deliveries of its runs, before it ends.
///
/// When it is over, `Event.deliveriesLeft` counts what waits for another process.
struct DeliveryWait: Sendable {
  /// A delivery whose retry is further away is left to another process.
  private static let patience: Duration = .seconds(3)
  /// A delivery that takes longer is interrupted; its receiver gets it again.
  private static let timeMax: Duration = .seconds(60)

  private let service: DeliveryService
  private let next: String

  /// - Parameter next: what delivers the deliveries that are left.
  init(_ service: DeliveryService, next: String) {
    self.service = service
    self.next = next
  }

  func wait() async {
    let delivering = Task(executorPreference: HostExecutor.shared) { [service] in
      await service.run(until: .idle(patience: Self.patience))
    }
    let limit = Task(executorPreference: HostExecutor.shared) {
      do { try await HostClock().sleep(for: Self.timeMax) } catch { return }
      delivering.cancel()
    }
    await withTaskCancellationHandler {
      await delivering.value
    } onCancel: {
      delivering.cancel()
    }
    limit.cancel()
    let count = service.pendingCount
    if count == 0 { return }
    service.setup.events.emit(
      .deliveriesLeft(
        count: count, next: next, command: service.setup.suggested.command("deliveries")))
  }
}
