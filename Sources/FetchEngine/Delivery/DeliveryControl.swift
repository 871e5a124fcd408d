package import FetchModel
package import FetchStore
package import FetchValues

/// Who does what people ask of deliveries: the service that carries them out, or whoever writes it
/// down for the next one.
package protocol DeliveryControl: Sendable {
  /// Lets a delivery that waits or was given up go out now; nil when there is none of that id.
  func retry(_ id: Int64) async throws(StoreError) -> Delivery?
  /// Takes a delivery out of the outbox; nil when there is none of that id.
  func drop(_ id: Int64) async throws(StoreError) -> Delivery?
  /// What waits of a hook because something kept it from going out.
  func waiting(of hook: String) async throws(StoreError) -> [Delivery]
  /// Until when the rate of its hook keeps a delivery from going out; nil: not at all.
  func rateOpensAt(for id: Int64) async throws(StoreError) -> Timestamp?
}

extension DeliveryControl {
  /// What kept the deliveries of a hook from going out is over: they go out now.
  package func release(_ hook: String) async throws(StoreError) {
    for delivery in try await waiting(of: hook) { _ = try await retry(delivery.id) }
  }

  /// Answers a request about deliveries, one after the other; what cannot be done for one is said,
  /// and the others are done.
  package func answer(
    _ deed: ControlRequest.DeliveryAction, _ ids: [Int64], line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    var problems: [String] = []
    for id in ids {
      do throws(StoreError) {
        if let object = deed == .drop ? try await dropped(id) : try await retried(id) {
          await line(object)
        } else {
          problems.append("there is no delivery \(id)")
        }
      } catch {
        problems.append(error.message)
      }
    }
    return problems.isEmpty ? .done : .failed(problems.joined(separator: "; "))
  }

  private func dropped(_ id: Int64) async throws(StoreError) -> Value? {
    guard var delivery = try await drop(id) else { return nil }
    delivery.nextAttemptAt = nil
    return delivery.line("dropped")
  }

  private func retried(_ id: Int64) async throws(StoreError) -> Value? {
    // Asked for first: by what goes out then the rate holds others.
    let opensAt = try await rateOpensAt(for: id)
    guard var delivery = try await retry(id) else { return nil }
    if let opensAt { delivery.hold(byRateUntil: opensAt) }
    return delivery.line(delivery.state.rawValue)
  }
}

extension Delivery {
  /// As `json` has it, with another word for its state.
  fileprivate func line(_ state: String) -> Value {
    var object = (try? JSONReader.decode(json))?.objectValue ?? ValueObject()
    object["state"] = .string(state)
    return .object(object)
  }
}
