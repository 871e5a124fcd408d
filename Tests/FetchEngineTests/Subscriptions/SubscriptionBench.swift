import FetchHost
import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization

@testable import FetchEngine

/// The service of subscriptions with a scripted hub, a store in memory, and a time that only the
/// test moves.
final class SubscriptionBench: Sendable {
  static let start = Timestamp(seconds: 1_800_000_000)
  static let server = "https://me.test"

  /// The ways in which the scripted hub answers.
  enum Hub: Sendable {
    /// The hub accepts and immediately verifies, with the given lease.
    case verifies(leaseSeconds: Int64?)
    /// The hub accepts, and never verifies.
    case silent
    case fails(String)
    case postpones(Duration)
  }

  private struct State {
    var now = SubscriptionBench.start
    var hub = Hub.verifies(leaseSeconds: nil)
    var asked: [(at: Timestamp, callback: String)] = []
    var random: UInt64 = 1
    var isAllowed = true
    var triggers = 0
    /// The jobs whose hub answers only after `answer` is called.
    var slowJobs: Set<JobName> = []
    /// The requests to the slow hub that wait for `answer`.
    var slowAnswers: [AsyncStream<Void>.Continuation] = []
  }

  /// The state of the bench, and the scripted hub.
  private final class World: Sendable {
    let state = Mutex(State())
    let service = Mutex<SubscriptionService?>(nil)

    func ask(_ subscription: Subscription, _ callback: String) async -> HubRequests.Answer {
      let (answer, continuation) = AsyncStream<Void>.makeStream()
      let (hub, isSlow) = state.withLock { state in
        state.asked.append((state.now, callback))
        let isSlow = state.slowJobs.contains(subscription.job)
        if isSlow { state.slowAnswers.append(continuation) }
        return (state.hub, isSlow)
      }
      if isSlow { for await _ in answer {} }
      switch hub {
      case .verifies(let leaseSeconds):
        _ = service.withLock { $0 }?.take(
          .verified(leaseSeconds: leaseSeconds), of: subscription.id)
        return .accepted
      case .silent: return .accepted
      case .fails(let message): return .failed(message)
      case .postpones(let delay): return .postponed(until: state.withLock { $0.now } + delay)
      }
    }
  }

  private let world = World()
  let store: MemoryStore
  let jobs: ScheduledJobs
  let service: SubscriptionService
  let recorder = EventRecorder()

  /// - Parameter store: the store of an earlier process, or nil for a new store.
  init(store: MemoryStore? = nil, server: String? = SubscriptionBench.server) async throws {
    self.store = store ?? MemoryStore()
    var scheduler = Scheduler(budget: Budget(BudgetLimits(), now: Self.start), now: Self.start)
    _ = scheduler.add(
      ScheduledJob(name: "news", interval: .every(.seconds(3_600))), JobSchedule(), now: Self.start)
    jobs = ScheduledJobs(scheduler: scheduler)
    if store == nil { _ = try self.store.commit(RunCommit(record: Self.record(.noData(.empty)))) }
    let world = world
    service = SubscriptionService(
      SubscriptionService.Setup(
        store: self.store, jobs: jobs, ask: { await world.ask($0, $1) },
        time: RunTime(
          now: { world.state.withLock(\.now) },
          random: {
            world.state.withLock { state in
              state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
              return state.random
            }
          }),
        clock: ManualClock(), events: recorder.sink { _ in },
        allows: { _ in world.state.withLock(\.isAllowed) },
        onTrigger: { world.state.withLock { $0.triggers += 1 } }),
      server: server)
    world.service.withLock { [service] in $0 = service }
  }

  deinit { world.service.withLock { $0 = nil } }

  var now: Timestamp { world.state.withLock(\.now) }
  var asked: [(at: Timestamp, callback: String)] { world.state.withLock(\.asked) }
  func set(_ hub: Hub) { world.state.withLock { $0.hub = hub } }
  func allow(_ isAllowed: Bool) { world.state.withLock { $0.isAllowed = isAllowed } }
  func advance(_ duration: Duration) { world.state.withLock { $0.now = $0.now + duration } }

  /// Takes every due step within the given duration.
  func pass(_ duration: Duration) async {
    let end = now + duration
    while let next = await service.step(), next <= end {
      world.state.withLock { $0.now = max($0.now + .milliseconds(1), next) }
    }
    world.state.withLock { $0.now = end }
    _ = await service.step()
  }

  private static func record(
    _ outcome: Outcome, trigger: RunTrigger = .schedule, job: JobName = "news",
    at time: Timestamp = start
  ) -> RunRecord {
    RunRecord(
      run: RunID(startedAt: time, random: (1, 2)), job: job, plugin: "rss", trigger: trigger,
      outcome: outcome, startedAt: time)
  }

  /// Adds a job whose hub answers only after `answer` is called.
  func addSlowJob(_ job: JobName) throws {
    jobs.withState { state in
      _ = state.scheduler.add(
        ScheduledJob(name: job, interval: .every(.seconds(3_600))), JobSchedule(), now: Self.start)
    }
    var record = Self.record(.noData(.empty), job: job)
    let number = world.state.withLock { state in
      state.slowJobs.insert(job)
      return UInt64(state.slowJobs.count)
    }
    record.run = RunID(startedAt: Self.start, random: (3, number))
    _ = try store.commit(RunCommit(record: record))
  }

  /// Lets the hub of the slow jobs answer the requests that wait, and all later requests.
  func answer() {
    let answers = world.state.withLock { state in
      state.slowJobs = []
      return state.slowAnswers
    }
    for answer in answers { answer.finish() }
  }

  /// Reports the end of a run.
  func ran(
    _ outcome: Outcome = .noData(.sameItems), _ trigger: RunTrigger = .schedule,
    hub: HubDiscovery? = nil, job: JobName = "news"
  ) {
    var report = RunReport(record: Self.record(outcome, trigger: trigger, job: job, at: now))
    report.hub = hub
    service.noteRun(report)
  }

  static let hub = HubDiscovery.hub("https://hub.test/", topic: "https://feed.test/")
  static let news = Outcome.newData(ChangeCounts(added: 1))

  /// Discovers the hub and subscribes.
  func subscribed() async -> Subscription? {
    ran(hub: Self.hub)
    _ = await service.step()
    return service.all.first
  }

  var share: Double { service.all.first?.pushedShare(at: now) ?? 0 }
}
