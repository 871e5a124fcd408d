import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// A service on a bench from its start to its stop, as one process has it.
final class OpenService: Sendable {
  let service: JobService
  private let bench: ServiceBench
  let store: any Store
  private let told = Mutex(Told())
  private let events: AsyncStream<Void>
  private let event: AsyncStream<Void>.Continuation

  private struct Told {
    var reports: [RunReport] = []
    var notices: [JobNotice] = []
    var loop: Task<Void, Never>?
  }

  init(bench: ServiceBench, service: JobService, store: any Store) {
    self.bench = bench
    self.service = service
    self.store = store
    (events, event) = AsyncStream.makeStream()
  }

  var reports: [RunReport] { told.withLock { $0.reports } }
  var records: [RunRecord] { reports.map(\.record) }
  var notices: [JobNotice] { told.withLock { $0.notices } }

  /// When runs of that job began, since the bench did.
  func starts(_ job: String) -> [Duration] {
    records.filter { $0.job == job }.map { $0.startedAt - ServiceBench.startAt }
  }

  func schedule(_ job: String) -> JobSchedule? {
    service.jobs.look { scheduler in scheduler.number(of: job).map { scheduler.schedule(of: $0) } }
  }

  func waitReason(_ job: String) -> WaitReason? {
    let now = bench.now
    return service.jobs.look { scheduler in
      scheduler.number(of: job).map { scheduler.waitReason($0, now: now) }
    }
  }

  func begin(until ending: WakeLoop.Ending) {
    told.withLock { told in
      told.loop = Task {
        await self.service.loop.run(until: ending) { report in
          self.told.withLock { $0.reports.append(report) }
          self.event.yield()
        } notice: { notice in
          self.told.withLock { $0.notices.append(notice) }
        }
      }
    }
  }

  func cancel() { told.withLock { $0.loop }?.cancel() }
  func untilOver() async { await told.withLock { $0.loop }?.value }

  /// Lets the runs under way end, and closes the store.
  func stop() async throws {
    service.loop.drain()
    await untilOver()
    try await store.close()
  }

  // MARK: Time

  /// Moves the clock from one due time to the next, for that long.
  func pass(_ duration: Duration) async {
    let end = bench.clock.now.advanced(by: duration)
    while true {
      let wake = await untilQuiet()
      let now = bench.clock.now
      guard let wake, wake <= end.offset else {
        bench.clock.advance(by: end.offset - now.offset)
        return
      }
      bench.clock.advance(by: wake - now.offset)
    }
  }

  /// Until nothing runs, nothing is due and the loop sleeps; says until when. Nil when nothing will
  /// be due, or when the test has failed over it.
  @discardableResult
  func untilQuiet() async -> Duration? {
    var iterator = events.makeAsyncIterator()
    while !Task.isCancelled {
      let (runningCount, wake) = service.jobs.look { ($0.budget.runningCount, $0.nextWake) }
      if runningCount > 0 {
        // It has not been told of, so an event is still to come.
        await iterator.next()
      } else if service.loop.untoldCount > 0 || wake.map({ $0 <= bench.now }) == true {
        await Task.yield()
      } else {
        guard let wake else { return nil }
        do {
          return try await bench.clock.waitForSleeper(notAfter: wake - ServiceBench.startAt)
        } catch {
          Issue.record(error)
          return nil
        }
      }
    }
    return nil
  }
}
