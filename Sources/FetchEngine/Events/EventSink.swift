/// The subscribers of a process to its events.
///
/// `emit` may be called from any thread, and from several at once; it returns when all subscribers
/// have taken the event. A subscriber must return at once: whatever waits belongs behind a queue of
/// its own that drops what it cannot hold.
package struct EventSink: Sendable {
  private let subscribers: [@Sendable (Event) -> Void]

  /// Takes events and does nothing with them.
  package static let none = EventSink([])

  package init(_ subscriber: @escaping @Sendable (Event) -> Void) { self.init([subscriber]) }

  private init(_ subscribers: [@Sendable (Event) -> Void]) { self.subscribers = subscribers }

  /// Both sets of subscribers, these first.
  package func and(_ other: EventSink) -> EventSink {
    EventSink(subscribers + other.subscribers)
  }

  package func emit(_ event: Event) {
    for subscriber in subscribers { subscriber(event) }
  }
}
