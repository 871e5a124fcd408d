import FetchHost
package import FetchModel
import FetchSchedule
package import FetchStore
import FetchValues
import Synchronization

/// The service that applies retention while jobs are served. The service works only when retention
/// is due. It works in small steps, with a pause after each step.
package final class StoreUpkeep: Sendable {
  private let store: any Store
  private let jobs: ScheduledJobs
  private let time: RunTime
  private let events: EventSink
  private let loop: WakeLoop
  private let state: Mutex<State>

  private struct State {
    var retention: Retention
    /// Whether the store does not have the limits of the present config yet.
    var isNew = false
    /// Whether the previous step left more work, and may thus have removed something.
    var hasWorked = false
    var onRoom: @Sendable () -> Void = {}
  }

  /// The pause after a step. During the pause, runs can use the store.
  private static let stepRest: Duration = .milliseconds(50)
  /// The pause after a failed step.
  private static let failureRest: Duration = .seconds(600)
  /// The time after which no more steps begin at the end of a command.
  private static let commandTimeMax: Duration = .milliseconds(250)

  init(
    store: any Store, jobs: ScheduledJobs, retention: Retention, time: RunTime,
    clock: any Clock<Duration>, events: EventSink
  ) {
    self.store = store
    self.jobs = jobs
    state = Mutex(State(retention: retention))
    self.time = time
    self.events = events
    loop = WakeLoop(now: time.now, clock: clock)
  }

  /// Wakes the service, which performs a step if retention is due.
  package func poke() { loop.poke() }

  func clockWasSet() { loop.clockWasSet() }

  /// Begins no more steps.
  package func drain() { loop.drain() }

  func setRetention(_ wanted: Retention) {
    state.withLock { state in
      state.isNew = state.isNew || state.retention != wanted
      state.retention = wanted
    }
    poke()
  }

  /// Sets a callback that is called when a full store may have space again.
  func setOnRoom(_ onRoom: @escaping @Sendable () -> Void) { state.withLock { $0.onRoom = onRoom } }

  package func run() async {
    await loop.run(until: .stopped) {
      guard !loop.isDraining else { return WakeLoop.Rest() }
      let rest = await step()
      return WakeLoop.Rest(nextAt: time.now() + rest)
    }
  }

  /// Performs a step if a step is due. Returns the time until the next step.
  package func step() async -> Duration {
    let now = time.now()
    let trouble = jobs.storeTrouble
    // No step can succeed while the store has a problem that does not pass, for example lost files.
    if trouble?.mayPass == false { return Self.failureRest }
    let (retention, isNew) = state.withLock { ($0.retention, $0.isNew) }
    do throws(StoreError) {
      if isNew { try await store.setLimits(retention) }
      let progress = try await store.keepUp(retention, now: now)
      let (hasWorked, onRoom) = state.withLock { state in
        defer { state.hasWorked = progress == .goesOn }
        state.isNew = state.isNew && state.retention != retention
        return (state.hasWorked, state.onRoom)
      }
      guard case .rests(let until) = progress else { return Self.stepRest }
      if trouble != nil, hasWorked {
        jobs.hastenStoreProbe(now: now)
        onRoom()
      }
      return max(until - now, .seconds(1))
    } catch {
      if trouble == nil { events.emit(.storeRefused(.retention, error)) }
      return Self.failureRest
    }
  }

  // MARK: Commands

  /// Applies retention at the end of a command if retention is due. Stops after `commandTimeMax`.
  /// If more remains to be removed, a later process continues.
  ///
  /// - Parameter retention: the retention in the config; nil without a config.
  package static func finish(
    _ store: any Store, _ retention: Retention?, time: RunTime,
    events: EventSink
  ) async {
    let begunAt = ContinuousClock.now
    do throws(StoreError) {
      while try await store.keepUp(retention, now: time.now()) == .goesOn {
        if begunAt.duration(to: .now) > commandTimeMax { return }
      }
    } catch {
      events.emit(.storeRefused(.retention, error))
    }
  }
}
