import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of the room of an event hub: the limits of streams, the watched states, and the
/// notifications of clients.
@Suite struct EventRoomTests {
  private func marks(_ items: Int64, _ ended: Int64, _ states: Int64) -> EventMarks {
    EventMarks(end: EventCursor(items: items, ended: ended), states: states)
  }

  private static func line(_ job: String, _ state: String, why: String = "") -> Value {
    ["job": .string(job), "state": .string(state), "why": .string(why)]
  }

  @Test func `a token has eight streams, the daemon's user as many as there are`() throws {
    var room = EventRoom()
    let first = try room.enter(.token("a"), EventSelection())
    for _ in 1..<8 { _ = try room.enter(.token("a"), EventSelection()) }
    #expect(throws: EventRoom.Refusal.callerIsFull) {
      _ = try room.enter(.token("a"), EventSelection())
    }
    for _ in 8..<64 { _ = try room.enter(.local, EventSelection()) }
    #expect(throws: EventRoom.Refusal.full) { _ = try room.enter(.local, EventSelection()) }
    room.leave(first)
    _ = try room.enter(.token("a"), EventSelection())
    #expect(room.count == 64)
  }

  @Test func `only new ends of the logs wake the clients`() throws {
    var room = EventRoom()
    _ = try room.enter(.local, EventSelection())
    #expect(room.notify(marks(1, 1, 0)) == true)
    #expect(room.notify(marks(1, 1, 5)) == false)
    #expect(room.notify(marks(1, 2, 5)) == true)
    #expect(room.news.log == 2)
    // The next notification counts after `storeChanged`, even if its numbers are not new.
    room.storeChanged()
    #expect(room.notify(marks(1, 2, 5)) == true)
    #expect(room.news.log == 4)
  }

  @Test func `states are read only for clients that want them`() throws {
    var room = EventRoom()
    let log = try room.enter(.local, EventSelection(kinds: [.item]))
    #expect(room.followedJobs == nil)
    _ = room.notify(marks(1, 1, 1))
    #expect(room.takesStates() == false)
    let one = try room.enter(.local, EventSelection(job: "a", kinds: [.state]))
    #expect(room.takesStates() == true)
    #expect(room.takesStates() == false)
    _ = try room.enter(.local, EventSelection(job: "b"))
    _ = try room.enter(.local, EventSelection(job: "a"))
    #expect(room.followedJobs == ["a", "b"])
    _ = try room.enter(.local, EventSelection())
    #expect(room.followedJobs == [])
    room.leave(log)
    room.leave(one)
    _ = room.takesStates()
    _ = room.notify(marks(1, 1, 2))
    #expect(room.takesStates() == true)
  }

  @Test func `a status line is an event if it has changed by more than its sentence`() {
    var states = EventStates()
    #expect(
      states.update([Self.line("b", "running"), Self.line("a", "waiting")], isWhole: true) == true)
    let all = EventSelection()
    func events(_ version: Int, _ selection: EventSelection) -> [String] {
      let text = String(decoding: states.events(after: version, for: selection), as: UTF8.self)
      return ReceivedEvents(text).events.map {
        "\($0.data["job"]?.stringValue ?? "") \($0.data["state"]?.stringValue ?? "")"
      }
    }
    #expect(events(0, all) == ["a waiting", "b running"])
    #expect(events(0, EventSelection(job: "b")) == ["b running"])
    #expect(events(0, EventSelection(kinds: [.item])) == [])
    #expect(states.update([Self.line("a", "waiting", why: "in 5 min")], isWhole: false) == false)
    #expect(events(1, all) == [])
    #expect(states.update([Self.line("a", "paused")], isWhole: false) == true)
    #expect(events(1, all) == ["a paused"])
    #expect(events(0, all) == ["a paused", "b running"])
    #expect(states.update([Self.line("a", "paused")], isWhole: true) == false)
    #expect(events(0, all) == ["a paused"])
  }

  @Test func `the last client takes the states with it`() throws {
    var room = EventRoom()
    let number = try room.enter(.local, EventSelection())
    #expect(room.update([Self.line("a", "running")], isWhole: true) == true)
    room.leave(number)
    #expect(room.states.version == 0)
    #expect(room.news.states == 0)
  }

  @Test func `a client reads first, then only what is new`() {
    var client = EventClient(EventSelection(), after: EventCursor(items: 0, ended: 0))
    var news = EventNews()
    (news.beats, news.states) = (3, 2)
    #expect(client.steps(for: news) == [.log, .states])
    var states = EventStates()
    for name in ["a", "b"] { _ = states.update([Self.line(name, "x")], isWhole: true) }
    _ = client.take(states)
    #expect(client.steps(for: news) == [])
    news.beats += 1
    #expect(client.steps(for: news) == [.beat])
    news.log += 1
    #expect(client.steps(for: news) == [.log])
  }
}
