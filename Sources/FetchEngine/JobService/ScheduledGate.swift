import FetchHost
import FetchSchedule
import FetchValues

/// A gate for transfers and for requests to hubs. It uses the scheduler and the lanes of the
/// config's jobs.
struct ScheduledGate: TransferGate {
  let jobs: ScheduledJobs
  let lanes: RequestLanes

  func places(at hostname: String) -> Int { lanes.connectionsMax(at: hostname) }

  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    jobs.look { $0.closedUntil(hostname, now: now) }
  }

  func close(_ hostname: String, until: Timestamp, now: Timestamp) {
    jobs.withState { $0.scheduler.close(hostname, until: until, now: now) }
  }

  func opening(for cost: RunCost, of job: JobName, now: Timestamp) -> Timestamp? {
    jobs.withState { $0.opening(for: cost, of: job, now: now) }
  }

  func charge(_ cost: RunCost, to job: JobName, now: Timestamp) -> Bool {
    jobs.withState { state in
      state.charge(cost, to: job, now: now)
      return state.opening(for: RunCost(), of: job, now: now) == nil
    }
  }
}
