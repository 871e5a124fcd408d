/// What a delivery tells of.
package enum DeliveryEvent: String, Sendable, CaseIterable {
  /// Items were added, updated or removed.
  case newData
  case noData
  case failed
  case recovered
  case stale
}
