import FetchHost
import FetchModel

/// A command's wait for the deliveries of known hooks in the outbox, including the deliveries of
/// earlier runs.
///
/// If such deliveries are left to another process after the wait, the event `Event.deliveriesLeft`
/// reports their number.
struct DeliveryWait: Sendable {
  /// The longest wait for the next delivery attempt. The command leaves later attempts to another
  /// process.
  private static let patience: Duration = .seconds(3)
  /// The maximum duration of the wait. After this time, the command interrupts the delivery
  /// attempts that are under way. Another process repeats the interrupted attempts.
  private static let timeMax: Duration = .seconds(60)

  private let service: DeliveryService
  private let next: String

  /// - Parameter next: a phrase such as `a later run`, which names the run that sends the remaining
  ///   deliveries.
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
