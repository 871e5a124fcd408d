package import FetchModel
package import FetchStore
package import FetchValues

/// The actions of people on the deliveries of a store.
///
/// An action on an existing delivery changes the store. If a service of this process delivers from
/// this store, the action then notifies the service.
package struct DeliveryCommands: Sendable {
  private let store: any Store
  private let service: DeliveryService?
  private let rates: HookRates
  private let now: @Sendable () -> Timestamp

  /// Creates the commands for a process that sends no deliveries from the store.
  ///
  /// - Parameter rates: the delivery rates of the hooks, as far as the caller knows these rates.
  package init(
    store: any Store, rates: HookRates = .unknown, now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    service = nil
    self.rates = rates
    self.now = now
  }

  /// Creates the commands for a store whose deliveries a service of this process sends.
  package init(_ service: DeliveryService) {
    store = service.setup.store
    self.service = service
    rates = .unknown
    now = service.setup.time.now
  }

  /// Makes a pending or given-up delivery due now. Returns nil if the outbox has no delivery with
  /// the id.
  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let revived = try await store.revive(id) else { return nil }
    service?.deliveryRevived(revived)
    return revived
  }

  /// Removes a delivery from the outbox. Returns nil if the outbox has no delivery with the id.
  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try await store.deliveries([id]).first else { return nil }
    try await store.removeDeliveries([id])
    service?.deliveryDropped(id)
    return delivery
  }

  /// Makes the pending deliveries of a hook due now if an earlier attempt could not deliver them.
  /// Call this function when the hook can work again.
  package func release(_ hook: HookName) async throws(StoreError) {
    for delivery in try await store.waiting(of: hook) { _ = try await retry(delivery.id) }
  }

  /// Returns the time until which the rate of the delivery's hook holds the delivery back. Returns
  /// nil if no rate delays the delivery now, or if there is no such delivery.
  private func rateOpensAt(for id: Int64) async throws(StoreError) -> Timestamp? {
    guard let hook = try await store.deliveries([id]).first?.hook else { return nil }
    if let service { return try await service.rateOpensAt(of: hook) }
    return rates.openings(of: try await store.paces(of: [hook]), now: now())[hook]
  }

  // MARK: Requests

  /// Carries out a request on deliveries, one delivery after the other. If a delivery cannot be
  /// changed, continues with the next one and reports the failure at the end.
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
    // The opening time is read before `retry`. Afterwards, a service may already have sent the
    // delivery, which uses up a part of the rate.
    let opensAt = try await rateOpensAt(for: id)
    guard var delivery = try await retry(id) else { return nil }
    if let opensAt { delivery.hold(byRateUntil: opensAt) }
    return delivery.line(delivery.state.rawValue)
  }
}

extension Delivery {
  /// Returns the delivery as a JSON object, with the given word as its state.
  fileprivate func line(_ state: String) -> Value {
    var object = (try? JSONReader.decode(json))?.objectValue ?? ValueObject()
    object["state"] = .string(state)
    return .object(object)
  }
}
