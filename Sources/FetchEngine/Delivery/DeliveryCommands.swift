package import FetchModel
package import FetchStore
package import FetchValues

/// What people do to the deliveries of a store.
///
/// Each command changes the store. The service that delivers from this store, where the process has
/// one, then learns what has changed.
package struct DeliveryCommands: Sendable {
  private let store: any Store
  private let service: DeliveryService?
  private let rates: HookRates
  private let now: @Sendable () -> Timestamp

  /// The commands on a store from which nothing is delivered now.
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

  /// The commands on the store from which a service delivers.
  package init(_ service: DeliveryService) {
    store = service.setup.store
    self.service = service
    rates = .unknown
    now = service.setup.time.now
  }

  /// Lets a delivery that waits or was given up go out now; nil when there is none of that id.
  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let revived = try await store.revive(id) else { return nil }
    service?.deliveryRevived(revived)
    return revived
  }

  /// Takes a delivery out of the outbox; nil when there is none of that id.
  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try await store.deliveries([id]).first else { return nil }
    try await store.removeDeliveries([id])
    service?.deliveryDropped(id)
    return delivery
  }

  /// Lets the deliveries of a hook go out now: what kept them from it is over.
  package func release(_ hook: String) async throws(StoreError) {
    for delivery in try await store.waiting(of: hook) { _ = try await retry(delivery.id) }
  }

  /// Returns until when the rate of its hook keeps a delivery from going out; nil: not at all.
  private func rateOpensAt(for id: Int64) async throws(StoreError) -> Timestamp? {
    guard let hook = try await store.deliveries([id]).first?.hook else { return nil }
    if let service { return try await service.rateOpensAt(of: hook) }
    return rates.openings(of: try await store.paces(of: [hook]), now: now())[hook]
  }

  // MARK: Requests

  /// Answers a request about deliveries, one after the other; what cannot be done for one is said,
  /// and the others are done.
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
    // Asked for first: by what goes out then the rate holds others.
    let opensAt = try await rateOpensAt(for: id)
    guard var delivery = try await retry(id) else { return nil }
    if let opensAt { delivery.hold(byRateUntil: opensAt) }
    return delivery.line(delivery.state.rawValue)
  }
}

extension Delivery {
  /// The object of `json`, with another word for the delivery's state.
  fileprivate func line(_ state: String) -> Value {
    var object = (try? JSONReader.decode(json))?.objectValue ?? ValueObject()
    object["state"] = .string(state)
    return .object(object)
  }
}
