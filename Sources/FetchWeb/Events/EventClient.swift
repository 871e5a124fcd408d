/// One client: what it wants, and up to where it has received events. It decides what to do about
/// news; `EventStream` does it.
package struct EventClient: Sendable {
  package enum Step: Equatable, Sendable {
    /// Reads the logs until their end as of these news.
    case log
    /// Sends the status lines that have changed.
    case states
    /// Checks the client's access, and keeps the connection open.
    case beat
  }

  package let selection: EventSelection
  package private(set) var cursor: EventCursor
  /// The cursor that the client knows, from the last event or heartbeat.
  private var known: EventCursor
  private var seen = EventNews()
  private var statesVersion = 0
  private var hasBegun = false

  /// - Parameter cursor: the place after which events are sent.
  package init(_ selection: EventSelection, after cursor: EventCursor) {
    self.selection = selection
    self.cursor = cursor
    known = cursor
  }

  /// The first bytes of the stream.
  package var beginning: [UInt8] { EventText.beginning(cursor) }

  /// Returns what the news ask for, in order. The first call reads the logs in any case.
  package mutating func steps(for news: EventNews) -> [Step] {
    var steps: [Step] = []
    if !hasBegun || news.log != seen.log { steps.append(.log) }
    if news.states != statesVersion { steps.append(.states) }
    if hasBegun, news.beats != seen.beats { steps.append(.beat) }
    hasBegun = true
    seen = news
    return steps
  }

  /// Takes a page that follows its cursor, and returns the bytes to send.
  package mutating func take(_ page: EventPage) -> [UInt8] {
    let bytes = page.bytes(for: selection)
    cursor = page.end
    return bytes
  }

  /// Whether a page ends the reading for the news that the client has seen.
  package func isDone(_ page: EventPage) -> Bool { page.isLast && page.tick >= seen.log }

  package mutating func take(_ states: EventStates) -> [UInt8] {
    defer { statesVersion = states.version }
    return states.events(after: statesVersion, for: selection)
  }

  /// Returns a heartbeat, with the cursor if it has moved past events that the client did not want.
  package mutating func beat() -> [UInt8] {
    defer { known = cursor }
    return EventText.beat(cursor == known ? nil : cursor)
  }
}
