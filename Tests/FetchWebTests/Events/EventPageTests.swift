import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of the events that follow a cursor, without a socket.
@Suite struct EventPageTests {
  static func reading(_ store: MemoryStore) -> EventReading {
    EventReading(
      WebStore(store, now: { StoredRuns.start }), WebControl(TestSite.noDaemon))
  }

  /// Returns all events after a cursor, read page by page.
  static func all(
    _ store: MemoryStore, after start: EventCursor, _ selection: EventSelection = EventSelection()
  ) async throws -> ReceivedEvents {
    let reading = reading(store)
    var client = EventClient(selection, after: start)
    var received = ReceivedEvents()
    while true {
      let page = try await reading.page(client.cursor)
      received.add(String(decoding: client.take(page), as: UTF8.self))
      if page.isLast { return received }
    }
  }

  static let beginning = EventCursor(items: 0, ended: 0)

  @Test func `a cursor has two numbers and nothing else`() {
    #expect(EventCursor("48213-9120") == EventCursor(items: 48213, ended: 9120))
    #expect(EventCursor("0-0")?.description == "0-0")
    let digits = String(repeating: "9", count: 19)
    for text in ["", "-", "1", "1-", "-1", "1-2-3", "+1-2", "1- 2", "a-1", "١-1", "\(digits)-1"] {
      #expect(EventCursor(text) == nil, "\(text)")
    }
  }

  @Test func `the items of a run come before the run, each with the cursor to resume at`()
    async throws
  {
    let store = MemoryStore()
    try await StoredRuns.add(1, to: store, items: [("a", "A"), ("b", "B")])
    try await StoredRuns.add(2, to: store, job: "other", items: [("c", "C")])
    let found = try await Self.all(store, after: Self.beginning)
    #expect(found.events.map(\.name) == ["item", "item", "item", "run", "run"])
    #expect(found.events.map(\.id) == ["1-0", "2-0", "3-0", "3-1", "3-2"])
    #expect(found.events.prefix(2).contains { $0.data["title"] == "A" })
    let records = try store.runs(job: nil, limit: nil)
    #expect(try JSONWriter.text(found.events[4].data) == records.first?.json)
    let rest = try await Self.all(store, after: EventCursor(items: 2, ended: 0))
    #expect(rest.events.map(\.id) == ["3-0", "3-1", "3-2"])
  }

  @Test func `a stream that is cut anywhere resumes with each event exactly once`() async throws {
    let store = MemoryStore()
    for number in 1...40 {
      let items = (0..<(number % 7)).map { ("\($0)", "\(number)") }
      try await StoredRuns.add(number, to: store, job: "job\(number % 3)", items: items)
    }
    let whole = try await Self.all(store, after: Self.beginning)
    #expect(whole.count("run") == 40)
    #expect(whole.count("item") == (1...40).map { $0 % 7 }.reduce(0, +))
    for cut in whole.events.indices {
      let cursor = try #require(EventCursor(whole.events[cut].id))
      let rest = try await Self.all(store, after: cursor)
      #expect(rest.events == Array(whole.events[(cut + 1)...]), "cut after \(cursor)")
    }
  }

  @Test func `large items make many pages, none of which is much larger than the limit`()
    async throws
  {
    let store = MemoryStore()
    let content = String(repeating: "x", count: 40_000)
    try await StoredRuns.add(
      1, to: store, items: (0..<30).map { ("\($0)", "") }, content: content)
    let reading = Self.reading(store)
    var cursor = Self.beginning
    var (counts, ends): ([Int], [EventCursor]) = ([], [])
    var isLast = false
    while !isLast {
      let page = try await reading.page(cursor)
      #expect(page.bytes(for: EventSelection()).count < EventPage.bytesMax + 50_000)
      counts.append(page.count)
      (cursor, isLast) = (page.end, page.isLast)
      ends.append(cursor)
    }
    #expect(counts.reduce(0, +) == 31)
    #expect(counts.count >= 8)
    #expect(ends.dropLast().allSatisfy { $0.ended == 0 })
    #expect(ends.last == EventCursor(items: 30, ended: 1))
  }

  @Test func `a client far behind, or of another store, is told to read its lists again`()
    async throws
  {
    let store = MemoryStore()
    let many = (0..<Int(EventPage.missedMax)).map { ("\($0)", "") }
    try await StoredRuns.add(1, to: store, items: many)
    for (cursor, since) in [(Self.beginning, 0), (EventCursor(items: 99_999, ended: 1), 99_999)] {
      let found = try await Self.all(store, after: cursor)
      #expect(found.events.map(\.name) == ["reset"])
      #expect(found.events[0].data["since"] == .integer(Int64(since)))
      #expect(found.id == "10000-1")
    }
    let other = try await Self.all(store, after: EventCursor(items: 10_000, ended: 7))
    #expect(other.events.map(\.name) == ["reset"])
    let near = try await Self.reading(store).page(EventCursor(items: 1, ended: 0))
    #expect(near.count == EventPage.rowsMax && !near.isLast)
  }

  @Test func `a client gets only what it wants and may see, and its cursor still moves`()
    async throws
  {
    let store = MemoryStore()
    try await StoredRuns.add(1, to: store, job: "a", items: [("1", "")])
    try await StoredRuns.add(2, to: store, job: "b", items: [("2", "")])
    let some = Caller(.token("t"), scopes: [.read], jobs: [JobPattern("b")])
    for (selection, expected) in [
      (EventSelection(job: "a"), ["item 1", "run 000001"]),
      (EventSelection(kinds: [.run]), ["run 000001", "run 000002"]),
      (EventSelection(kinds: [.item, .run], caller: some), ["item 2", "run 000002"]),
      (EventSelection(job: "a", caller: some), []), (EventSelection(kinds: [.state]), []),
    ] {
      let found = try await Self.all(store, after: Self.beginning, selection)
      #expect(found.log == expected)
    }
    var client = EventClient(EventSelection(job: "c"), after: Self.beginning)
    #expect(client.beat() == Array(": \n\n".utf8))
    _ = client.take(try await Self.reading(store).page(client.cursor))
    #expect(client.beat() == Array(": \nid: 2-2\n\n".utf8))
    #expect(client.beat() == Array(": \n\n".utf8))
  }

  @Test func `hostile text stays within its event`() async throws {
    let store = MemoryStore()
    let title = "a\n\nevent: bye\ndata: {}\r\rid: 9-9\u{2028}\u{0}\u{202E}"
    try await StoredRuns.add(1, to: store, job: "j\n\nid: 1-1", items: [("x\n\ny", title)])
    let found = try await Self.all(store, after: Self.beginning)
    #expect(found.events.map(\.name) == ["item", "run"])
    #expect(found.events[0].data["title"]?.stringValue == title)
    #expect(found.id == "1-1")
  }
}
