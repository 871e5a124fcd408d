import FetchHost
import Synchronization

/// The hub of all event streams of the process. While at least one client listens, the hub keeps
/// one `watch` request to the daemon open. Without a daemon, the hub checks the store every few
/// seconds.
package final class EventHub: Sendable {
  private struct State {
    var room = EventRoom()
    var wakes: [Int: AsyncStream<Void>.Continuation] = [:]
    var statesWanted: AsyncStream<Void>.Continuation?
    var tasks: [Task<Void, Never>] = []
  }

  package let log: EventLog
  private let reading: EventReading
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  /// The time between two heartbeats of a stream. It is shorter than the usual time-outs of
  /// proxies.
  package static let beatInterval: Duration = .seconds(15)
  /// The time between two checks of the store, and between two attempts to reach the daemon.
  package static let lookInterval: Duration = .seconds(5)
  /// The minimum time between two reads of status lines.
  package static let statesInterval: Duration = .seconds(1)
  /// The ratio of the pause after a read of the status lines to the duration of the read. It limits
  /// the reads to about 2 % of the daemon's time if a read takes at most 1.2 s.
  private static let statesShare = 50
  /// The maximum pause after a read of the status lines. A read is long not only if there are many
  /// jobs, but also if the daemon does not answer or the machine is suspended.
  package static let statesPauseMax: Duration = .seconds(60)

  package init(_ reading: EventReading, clock: any Clock<Duration>) {
    self.reading = reading
    self.clock = clock
    log = EventLog(reading.page)
  }

  package var news: EventNews { state.withLock { $0.room.news } }
  package var states: EventStates { state.withLock { $0.room.states } }
  package var clientCount: Int { state.withLock { $0.room.count } }

  /// Returns the cursor at the end of both logs.
  package func end() async throws(WebProblem) -> EventCursor { try await reading.end() }

  // MARK: Clients

  /// Admits a client. The client leaves when the returned seat is released.
  package func enter(
    _ kind: Caller.Kind, _ selection: EventSelection
  ) throws(EventRoom.Refusal) -> EventSeat {
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    wake.yield()
    let outcome: Result<Int, EventRoom.Refusal> = state.withLock { state in
      do throws(EventRoom.Refusal) {
        let number = try state.room.enter(kind, selection)
        state.wakes[number] = wake
        if state.tasks.isEmpty { begin(&state) }
        if selection.kinds.contains(.state) { state.statesWanted?.yield() }
        return .success(number)
      } catch { return .failure(error) }
    }
    return EventSeat(try outcome.get(), wakes, self)
  }

  fileprivate func leave(_ number: Int) {
    let tasks = state.withLock { state -> [Task<Void, Never>] in
      state.room.leave(number)
      state.wakes.removeValue(forKey: number)?.finish()
      guard state.room.isEmpty else { return [] }
      defer { state.tasks = [] }
      state.statesWanted?.finish()
      state.statesWanted = nil
      return state.tasks
    }
    for task in tasks { task.cancel() }
    if !tasks.isEmpty { log.clear() }
  }

  private func change(_ body: (inout EventRoom) -> Bool) {
    let wakes = state.withLock { state -> [AsyncStream<Void>.Continuation] in
      guard !state.room.isEmpty else { return [] }
      let isNew = body(&state.room)
      if state.room.statesAreOld { state.statesWanted?.yield() }
      return isNew ? Array(state.wakes.values) : []
    }
    for wake in wakes { wake.yield() }
  }

  // MARK: Watching

  private func begin(_ state: inout State) {
    let (wanted, want) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.statesWanted = want
    state.tasks = [
      Task(executorPreference: HostExecutor.shared) { await self.watch() },
      Task(executorPreference: HostExecutor.shared) { await self.beat() },
      Task(executorPreference: HostExecutor.shared) { await self.readStates(wanted) },
    ]
  }

  private func watch() async {
    var version: Int64?
    while !Task.isCancelled {
      await reading.watch { marks in self.change { $0.notify(marks) } }
      if Task.isCancelled { return }
      let new = try? await reading.version()
      if new != version {
        change { room in
          room.storeChanged()
          return true
        }
      }
      version = new
      guard (try? await clock.sleep(for: Self.lookInterval)) != nil else { return }
    }
  }

  private func beat() async {
    while (try? await clock.sleep(for: Self.beatInterval)) != nil {
      change { room in
        room.beat()
        return true
      }
    }
  }

  private func readStates(_ wanted: AsyncStream<Void>) async {
    for await _ in wanted {
      let jobs = state.withLock { $0.room.takesStates() ? $0.room.followedJobs : nil }
      guard let jobs else { continue }
      let spent = await clock.measure {
        do throws(WebProblem) {
          guard let lines = try await reading.states(jobs.isEmpty ? nil : jobs) else { return }
          change { $0.update(lines, isWhole: jobs.isEmpty) }
        } catch {
          // The lines are wanted again at once, and read again after the pause.
          change { room in
            room.statesFailed()
            return false
          }
        }
      }
      let pause = min(max(Self.statesInterval, spent * Self.statesShare), Self.statesPauseMax)
      guard (try? await clock.sleep(for: pause)) != nil else { return }
    }
  }
}

/// The place of a client in the hub. The client leaves the hub when this object is released.
package final class EventSeat: Sendable {
  private let number: Int
  private let hub: EventHub
  /// A stream that yields immediately, and then whenever there is news.
  package let wakes: AsyncStream<Void>

  fileprivate init(_ number: Int, _ wakes: AsyncStream<Void>, _ hub: EventHub) {
    self.number = number
    self.wakes = wakes
    self.hub = hub
  }

  deinit { hub.leave(number) }
}
