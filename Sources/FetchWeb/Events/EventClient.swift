/// One client of an event stream: the events that it wants, and the cursor up to which it has
/// received events. This type decides what to send when there is news; `EventStream` does the
/// sending.
package struct EventClient: Sendable {
  package enum Step: Equatable, Sendable {
    /// Reads the logs of item changes and of ended runs to their end.
    case log
    /// Sends the status lines that have changed.
    case states
    /// Checks the client's access, and sends a heartbeat.
    case beat
  }

  package let selection: EventSelection
  package private(set) var cursor: EventCursor
  /// The cursor at the last heartbeat, or at the beginning of the stream.
  private var known: EventCursor
  private var seen = EventNews()
  private var statesVersion = 0
  private var hasBegun = false

  /// - Parameter cursor: the cursor after which events are sent.
  package init(_ selection: EventSelection, after cursor: EventCursor) {
    self.selection = selection
    self.cursor = cursor
    known = cursor
  }

  /// The first bytes of the stream.
  package var beginning: [UInt8] { EventText.beginning(cursor) }

  /// Returns the steps that the news requires, in order. The first call always includes the step
  /// `log`.
  package mutating func steps(for news: EventNews) -> [Step] {
    var steps: [Step] = []
    if !hasBegun || news.log != seen.log { steps.append(.log) }
    if news.states != statesVersion { steps.append(.states) }
    if hasBegun, news.beats != seen.beats { steps.append(.beat) }
    hasBegun = true
    seen = news
    return steps
  }

  /// Moves the client's cursor to the end of a page that begins at the cursor. Returns the bytes to
  /// send.
  package mutating func take(_ page: EventPage) -> [UInt8] {
    let bytes = page.bytes(for: selection)
    cursor = page.end
    return bytes
  }

  /// Whether `page` is the last page that is needed for the news that `steps(for:)` received.
  package func isDone(_ page: EventPage) -> Bool { page.isLast && page.tick >= seen.log }

  package mutating func take(_ states: EventStates) -> [UInt8] {
    defer { statesVersion = states.version }
    return states.events(after: statesVersion, for: selection)
  }

  /// Returns a heartbeat. It contains the cursor if the cursor has moved since the last heartbeat,
  /// or since the beginning of the stream. The stream leaves out events that the client does not
  /// want, together with their cursors, so the client needs the heartbeat's cursor.
  package mutating func beat() -> [UInt8] {
    defer { known = cursor }
    return EventText.beat(cursor == known ? nil : cursor)
  }
}
