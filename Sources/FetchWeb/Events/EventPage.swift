import FetchModel
package import FetchStore
import FetchValues

/// A page of events that follow a cursor. The text of the events is written once for all clients.
package struct EventPage: Sendable {
  private struct Entry: Sendable {
    var kind: EventSelection.Kind
    var job: JobName
    var bytes: Range<Int>
  }

  package let start: EventCursor
  /// The cursor at which the next page begins.
  package private(set) var end: EventCursor
  /// Whether no more events followed when the page was read.
  package private(set) var isLast: Bool
  /// Whether the client must read its lists again, for example because it has missed too many
  /// events.
  package private(set) var isReset = false
  /// The value of `EventNews.log` for which the page was read: see `EventLog.page`. The page may
  /// also have later events.
  package var tick = 0

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  /// The maximum number of events that a client may have missed. With more missed events, it is
  /// faster for the client to read its lists again.
  package static let missedMax: Int64 = 10_000
  /// The maximum number of changes, and of ended runs, that are read for a page.
  package static let rowsMax = 250
  /// The size in bytes at which a page is full. The event that reaches this size still belongs to
  /// the page, so one event of any size always fits.
  package static let bytesMax = 128 << 10

  /// Creates a page from the runs and the changes after a cursor. The caller must read the runs
  /// from the store first, and the changes afterwards. The page contains a run only after all
  /// changes up to `runs.lastSequence`, so a run never comes before its items.
  ///
  /// - Parameter changes: the changes after `start.items`; nil if there are none.
  package init(after start: EventCursor, _ runs: EndedRuns, _ changes: ChangePage?) {
    self.start = start
    end = start
    isLast = true
    if Self.isGap(after: start, runs) {
      reset(runs)
    } else {
      isLast = addItems(changes, until: runs.lastSequence) && addRuns(runs) && isLast
    }
  }

  /// Adds the changes. Returns whether the page has all changes up to `sequence`, so that the runs
  /// may follow.
  private mutating func addItems(_ changes: ChangePage?, until sequence: Int64) -> Bool {
    guard let changes else { return true }
    for change in changes.changes {
      if isFull { return false }
      end.items = change.sequence
      add(.item, change.job, change.json)
    }
    end.items = max(end.items, changes.end)
    isLast = changes.isLast
    return end.items >= sequence
  }

  /// Adds the runs. Returns whether the page has all of the runs, and no further run follows.
  private mutating func addRuns(_ runs: EndedRuns) -> Bool {
    for run in runs.runs {
      if isFull { return false }
      end.ended = run.ended
      add(.run, run.record.job, run.record.json)
    }
    end.ended = max(end.ended, runs.end)
    return runs.isLast
  }

  /// Whether the store cannot give all events after a cursor, or there are too many of these
  /// events.
  package static func isGap(after start: EventCursor, _ runs: EndedRuns) -> Bool {
    if runs.hasGap || start.items > runs.lastSequence { return true }
    return (runs.lastSequence - start.items) + (runs.end - start.ended) > missedMax
  }

  package var isEmpty: Bool { entries.isEmpty && !isReset }
  /// The number of the page's events.
  package var count: Int { entries.count }

  private var isFull: Bool { bytes.count >= Self.bytesMax }

  private mutating func reset(_ runs: EndedRuns) {
    isReset = true
    end = EventCursor(items: runs.lastSequence, ended: runs.end)
    bytes = EventText.event("reset", id: end, data: #"{"since":\#(start.items)}"#)
  }

  private mutating func add(_ kind: EventSelection.Kind, _ job: JobName, _ json: String) {
    let from = bytes.count
    EventText.append(kind.rawValue, id: end, data: ShownJSON.text(json), to: &bytes)
    entries.append(Entry(kind: kind, job: job, bytes: from..<bytes.count))
  }

  /// Returns the text of the events that a client wants.
  package func bytes(for selection: EventSelection) -> [UInt8] {
    if isReset || selection.isWholeLog { return bytes }
    guard selection.hasLog else { return [] }
    var wanted: [UInt8] = []
    for entry in entries where selection.contains(entry.kind, of: entry.job) {
      wanted += bytes[entry.bytes]
    }
    return wanted
  }
}

/// The format in which events are sent (server-sent events: HTML, 9.2.6).
enum EventText {
  static func event(_ name: String, id: EventCursor? = nil, data: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(name, id: id, data: data, to: &bytes)
    return bytes
  }

  /// - Parameter data: JSON without line breaks.
  static func append(
    _ name: String, id: EventCursor? = nil, data: String, to bytes: inout [UInt8]
  ) {
    if let id { bytes += "id: \(id)\n".utf8 }
    bytes += "event: \(name)\ndata: ".utf8
    bytes += data.utf8
    bytes += "\n\n".utf8
  }

  /// Returns the beginning of a stream, which sets the client's cursor. It also sets the time after
  /// which a disconnected client reconnects. A block without data is not an event.
  static func beginning(_ cursor: EventCursor) -> [UInt8] {
    Array("retry: 3000\nid: \(cursor)\n\n".utf8)
  }

  /// Returns a comment, which keeps a connection open. If `cursor` is not nil, the text also sets
  /// the client's cursor.
  static func beat(_ cursor: EventCursor?) -> [UInt8] {
    Array((cursor.map { ": \nid: \($0)\n\n" } ?? ": \n\n").utf8)
  }

  static let bye = event("bye", data: "{}")
}
