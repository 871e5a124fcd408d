package import FetchValues

/// A delivery that is not stored yet. The deliveries of a run are stored together with the run.
package struct NewDelivery: Equatable, Sendable {
  package var hook: HookName
  package var job: JobName
  package var run: RunID?
  package var event: DeliveryEvent
  package var payload: DeliveryPayload
  package var key: String
  /// The earliest time at which the delivery may be sent; nil for immediately.
  package var notBefore: Timestamp?
  package var createdAt: Timestamp

  package init(
    hook: HookName, job: JobName, run: RunID?, event: DeliveryEvent, payload: DeliveryPayload,
    key: String,
    notBefore: Timestamp? = nil, createdAt: Timestamp
  ) {
    self.hook = hook
    self.job = job
    self.run = run
    self.event = event
    self.payload = payload
    self.key = key
    self.notBefore = notBefore
    self.createdAt = createdAt
  }
}

/// The JSON of a delivery before its items have sequence numbers. The store assigns the numbers
/// when it stores the run.
package struct DeliveryPayload: Equatable, Sendable {
  /// The parts of the text before, between and after the sequence numbers.
  private var pieces: [String]
  /// The index of the change for each sequence number. The index counts the changes that are stored
  /// together with this delivery.
  private var offsets: [Int64] = []

  /// Creates a payload from a text without sequence numbers.
  package init(_ text: String) { pieces = [text] }

  package mutating func append(_ text: String) { pieces[pieces.count - 1] += text }

  /// Appends a placeholder for a sequence number. `offset` is the index of the change among the
  /// changes that are stored together with this delivery.
  package mutating func appendSequence(ofChange offset: Int) {
    offsets.append(Int64(offset))
    pieces.append("")
  }

  /// Returns the whole text with its sequence numbers. `firstSequence` is the sequence number of
  /// the first change in the part of the run that is stored with this delivery.
  package func text(firstSequence: Int64) -> String {
    if offsets.isEmpty { return pieces[0] }
    var text = pieces[0]
    text.reserveCapacity(pieces.reduce(0) { $0 + $1.utf8.count + Self.digitsUsual })
    for (offset, piece) in zip(offsets, pieces.dropFirst()) {
      text += String(firstSequence &+ offset)
      text += piece
    }
    return text
  }

  private static let digitsUsual = 8
}

extension DeliveryPayload: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}
