import FetchHost
import FetchModel

/// The wait for the deliveries of a command's runs, before the command ends.
///
/// After the wait, the event `Event.deliveriesLeft` reports the number of deliveries that are left
/// to another process.
struct DeliveryWait: Sendable {
  /// The longest delay of a retry for which the command waits. The command leaves deliveries with a
  /// longer delay to another process.
  private static let patience: Duration = .seconds(3)
  /// The maximum duration of the wait. After this time the command interrupts the attempts under
  /// way, and another process repeats the interrupted attempts.
  private static let timeMax: Duration = .seconds(60)

  private let service: DeliveryService
  private let next: String

  /// - Parameter next: names the run that sends the remaining deliveries, or the time at which
  ///   they are sent, for the message.
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
