import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// A service on a bench, from its start to its stop, like one process.
final class OpenService: Sendable {
  let service: JobService
  private let bench: ServiceBench
  let store: any Store
  let recorder: EventRecorder
  private let loop = Mutex<Task<Void, Never>?>(nil)

  init(bench: ServiceBench, service: JobService, store: any Store, recorder: EventRecorder) {
    self.bench = bench
    self.service = service
    self.store = store
    self.recorder = recorder
  }

  /// The runs of jobs, without those in which plugins were notified of their transfers.
  var reports: [RunReport] { recorder.reports.filter { $0.record.trigger != .transfer } }
  var records: [RunRecord] { reports.map(\.record) }
  var notices: [JobNotice] { recorder.notices }

  /// Returns the times at which runs of a job began, counted from the bench's start.
  func starts(_ job: JobName) -> [Duration] {
    records.filter { $0.job == job }.map { $0.startedAt - ServiceBench.startAt }
  }

  func schedule(_ job: JobName) -> JobSchedule? {
    service.jobs.look { scheduler in scheduler.number(of: job).map { scheduler.schedule(of: $0) } }
  }

  func waitReason(_ job: JobName) -> WaitReason? {
    let now = bench.now
    return service.jobs.look { scheduler in
      scheduler.number(of: job).map { scheduler.waitReason($0, now: now) }
    }
  }

  func begin(until ending: WakeLoop.Ending) {
    loop.withLock { $0 = Task { await self.service.loop.run(until: ending) } }
  }

  func cancel() { loop.withLock { $0 }?.cancel() }
  func untilOver() async { await loop.withLock { $0 }?.value }

  /// Waits until the active runs have ended, and closes the store.
  func stop() async throws {
    service.loop.drain()
    await untilOver()
    try await store.close()
  }

  // MARK: Time

  /// Moves the clock from one due time to the next, for the given duration.
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

  /// Waits until nothing runs, nothing is due and the loop sleeps. Returns the time until which the
  /// loop sleeps, or nil if nothing will be due, the loop does not sleep or the task is cancelled.
  @discardableResult
  func untilQuiet() async -> Duration? {
    var iterator = recorder.runEnds.makeAsyncIterator()
    while !Task.isCancelled {
      let (runningCount, wake) = service.jobs.look { ($0.budget.runningCount, $0.nextWake) }
      if runningCount > 0 {
        // The run's report is still to come as an event.
        await iterator.next()
      } else if service.loop.unreportedCount > 0 || wake.map({ $0 <= bench.now }) == true {
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
