internal import FetchModel
internal import FetchValues
internal import GRDB

extension WriterConnection {
  /// `firstSequence` is that of the first change that the delivery is about.
  func insert(_ delivery: NewDelivery, firstSequence: Int64? = nil) throws {
    let row = try statement(.insertDelivery)
    row.bind(1, delivery.hook)
    row.bind(2, delivery.job)
    row.bind(3, delivery.run?.bytes)
    row.bind(4, delivery.event.rawValue)
    row.bind(5, delivery.key)
    row.bind(6, delivery.payload.text(firstSequence: firstSequence ?? 0))
    row.bind(7, DeliveryState.pending.rawValue)
    row.bind(8, delivery.notBefore?.milliseconds)
    row.bind(9, delivery.createdAt)
    try row.run()
  }

  func update(_ delivery: Delivery) throws {
    let row = try statement(.updateDelivery)
    row.bind(1, delivery.state.rawValue)
    row.bind(2, delivery.digest)
    row.bind(3, delivery.attemptCount)
    row.bind(4, delivery.failingSince?.milliseconds)
    row.bind(5, delivery.nextAttemptAt?.milliseconds)
    row.bind(6, delivery.failure)
    row.bind(7, delivery.id)
    try row.run()
  }

  func setTime(_ time: Timestamp?, ofDelivery id: Int64) throws {
    let row = try statement(.setDeliveryTime)
    row.bind(1, time?.milliseconds)
    row.bind(2, id)
    try row.run()
  }

  func removeDelivery(_ id: Int64) throws {
    let row = try statement(.removeDelivery)
    row.bind(1, id)
    try row.run()
  }

  func ledgerEntry(_ name: String) throws -> [UInt8]? {
    let row = try statement(.ledgerEntry)
    row.bind(1, name)
    defer { row.reset() }
    return try row.step() ? row.bytes(0) : nil
  }

  func removeLedgerEntry(_ name: String) throws {
    let row = try statement(.removeLedgerEntry)
    row.bind(1, name)
    try row.run()
  }
}
