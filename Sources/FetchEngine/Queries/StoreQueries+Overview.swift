import FetchSchedule
package import FetchStore

extension StoreQueries {
  /// Returns the overview for a store that no daemon serves. It covers the jobs that have run, by
  /// their stored schedules.
  package func overview() async throws(StoreError) -> OverviewLine {
    try await OverviewLine(of: reader)
  }
}

extension OverviewLine {
  /// Creates the overview from the jobs that a store contains. Jobs that never ran are missing.
  /// Jobs that the config has since disabled or removed are counted.
  init(of store: any ReadableStore) async throws(StoreError) {
    self.init(isServed: false)
    for memory in try await store.allSchedules() {
      guard let facts = memory.schedule.facts else { continue }
      let state: JobState =
        facts.pausedAt != nil
        ? .paused : facts.dueAt == nil ? .idle : facts.failureCount > 0 ? .backOff : .scheduled
      jobs[state, default: 0] += 1
      if facts.failureCount >= Scheduler.brokenAfter { broken += 1 }
      if facts.pausedAt == nil, let dueAt = facts.dueAt {
        nextDueAt = min(nextDueAt ?? dueAt, dueAt)
      }
    }
    if case .since(let time) = try await store.sharedMemory().pause { pausedSince = time }
    (pendingDeliveries, deadDeliveries) = try await store.deliveryCounts()
  }
}
