package import FetchValues

/// When the outbox is read again that could not be read: a value without a clock.
package struct OutboxRetry: Equatable, Sendable {
  /// The delays double up to this: a store that is busy is well again in seconds, one whose disk has
  /// gone costs a read a minute.
  package static let delayMax: Duration = .seconds(60)

  /// Nil: it was read.
  package private(set) var at: Timestamp?
  private var delay: Duration?

  package init() {}

  package mutating func failed(now: Timestamp) {
    let next = delay.map { min($0 * 2, Self.delayMax) } ?? .seconds(1)
    delay = next
    at = now + next
  }

  package func isDue(_ now: Timestamp) -> Bool { at.map { $0 <= now } ?? false }
}
