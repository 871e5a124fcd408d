/// The subscribers of a process to its events.
///
/// `emit` may be called from any thread, also concurrently; it returns after every subscriber has
/// received the event. A subscriber must return immediately: slow work belongs behind its own
/// queue, which drops what it cannot hold.
package struct EventSink: Sendable {
  private let subscribers: [@Sendable (Event) -> Void]

  /// Accepts events and ignores them.
  package static let none = EventSink([])

  package init(_ subscriber: @escaping @Sendable (Event) -> Void) { self.init([subscriber]) }

  private init(_ subscribers: [@Sendable (Event) -> Void]) { self.subscribers = subscribers }

  /// Returns a sink with both sets of subscribers, these first.
  package func and(_ other: EventSink) -> EventSink {
    EventSink(subscribers + other.subscribers)
  }

  package func emit(_ event: Event) {
    for subscriber in subscribers { subscriber(event) }
  }
}
