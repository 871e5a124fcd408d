/// The subscribers of a process to its events.
///
/// `emit` may be called from any thread, also concurrently. It returns after every subscriber has
/// received the event. A subscriber must return immediately. It puts slow work into its own queue;
/// a full queue drops events.
package struct EventSink: Sendable {
  private let subscribers: [@Sendable (Event) -> Void]

  /// A sink that ignores all events.
  package static let none = EventSink([])

  package init(_ subscriber: @escaping @Sendable (Event) -> Void) { self.init([subscriber]) }

  private init(_ subscribers: [@Sendable (Event) -> Void]) { self.subscribers = subscribers }

  /// Returns a sink that calls the subscribers of both sinks, first the subscribers of this sink.
  package func and(_ other: EventSink) -> EventSink {
    EventSink(subscribers + other.subscribers)
  }

  package func emit(_ event: Event) {
    for subscriber in subscribers { subscriber(event) }
  }
}
