package import FetchModel
package import FetchStore
package import FetchValues

/// The actions of people on the deliveries of a store.
///
/// Each command changes the store. It then notifies the service that delivers from this store, if
/// this process has one.
package struct DeliveryCommands: Sendable {
  private let store: any Store
  private let service: DeliveryService?
  private let rates: HookRates
  private let now: @Sendable () -> Timestamp

  /// Creates the commands on a store from which nothing is delivered now.
  ///
  /// - Parameter rates: the rates of the hooks, as far as they are known.
  package init(
    store: any Store, rates: HookRates = .unknown, now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    service = nil
    self.rates = rates
    self.now = now
  }

  /// Creates the commands on the store from which a service delivers.
  package init(_ service: DeliveryService) {
    store = service.setup.store
    self.service = service
    rates = .unknown
    now = service.setup.time.now
  }

  /// Makes a pending or abandoned delivery due now; returns nil if there is none with that id.
  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let revived = try await store.revive(id) else { return nil }
    service?.deliveryRevived(revived)
    return revived
  }

  /// Removes a delivery from the outbox; returns nil if there is none with that id.
  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try await store.deliveries([id]).first else { return nil }
    try await store.removeDeliveries([id])
    service?.deliveryDropped(id)
    return delivery
  }

  /// Makes the deliveries of a hook due now, after the reason for their wait has gone.
  package func release(_ hook: String) async throws(StoreError) {
    for delivery in try await store.waiting(of: hook) { _ = try await retry(delivery.id) }
  }

  /// Returns until when the rate of its hook holds a delivery back; nil if it does not.
  private func rateOpensAt(for id: Int64) async throws(StoreError) -> Timestamp? {
    guard let hook = try await store.deliveries([id]).first?.hook else { return nil }
    if let service { return try await service.rateOpensAt(of: hook) }
    return rates.openings(of: try await store.paces(of: [hook]), now: now())[hook]
  }

  // MARK: Requests

  /// Answers a request about deliveries, one after the other. Reports the deliveries for which it
  /// fails and changes the others.
  package func answer(
    _ action: ControlRequest.DeliveryAction, _ ids: [Int64], line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    var problems: [String] = []
    for id in ids {
      do throws(StoreError) {
        if let object = action == .drop ? try await dropped(id) : try await retried(id) {
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
    // Read first: sending this delivery makes the rate hold back others.
    let opensAt = try await rateOpensAt(for: id)
    guard var delivery = try await retry(id) else { return nil }
    if let opensAt { delivery.hold(byRateUntil: opensAt) }
    return delivery.line(delivery.state.rawValue)
  }
}

extension Delivery {
  /// Returns the object of `json`, with another word for the delivery's state.
  fileprivate func line(_ state: String) -> Value {
    var object = (try? JSONReader.decode(json))?.objectValue ?? ValueObject()
    object["state"] = .string(state)
    return .object(object)
  }
}
