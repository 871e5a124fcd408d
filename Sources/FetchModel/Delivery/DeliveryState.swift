/// How a delivery stands. One that was delivered is there no more.
package enum DeliveryState: String, Sendable, CaseIterable {
  /// To be delivered; `DeliveryService` moves it on.
  case pending
  /// Given up; only a person moves it on, by `fetchrun deliveries retry`.
  case dead
}
