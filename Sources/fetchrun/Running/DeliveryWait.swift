import FetchEngine
import FetchHost
import FetchModel

/// A command that tells hooks of what its runs have brought before it ends.
struct DeliveryWait: Sendable {
  /// What is to be tried again later than that is left to another process.
  static let patience: Duration = .seconds(3)
  /// A receiver that takes longer has what is under way broken off; it gets it again.
  static let timeMax: Duration = .seconds(60)

  private let service: DeliveryService
  private let output: RunOutput
  private let suggested: SuggestedCommand
  private let next: String

  /// - Parameter next: what delivers what is left.
  init(
    _ service: DeliveryService, _ output: RunOutput, _ suggested: SuggestedCommand, next: String
  ) {
    self.service = service
    self.output = output
    self.suggested = suggested
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
    sayWhatIsLeft()
  }

  private func sayWhatIsLeft() {
    let count = service.pendingCount
    if count == 0 { return }
    let are = count == 1 ? "waits" : "wait"
    let noun = count == 1 ? "delivery" : "deliveries"
    output.message(
      "\(count) \(noun) \(are) in the outbox for \(next): see \(suggested.command("deliveries"))")
  }
}
