import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func schedules(after mark: PageMark?) throws(StoreError) -> Page<JobMemory> {
    try with { state in
      var last: Int64 = 0
      if case .row(let row) = mark { last = row }
      let jobs = state.orderedJobs.filter { $0.id > last && $0.schedule != nil }
      let page = jobs.prefix(PageMark.countMax)
      let next = jobs.count > page.count ? page.last.map { PageMark.row($0.id) } : nil
      return Page(
        page.compactMap { job in
          job.schedule.map { JobMemory(job: job.name, schedule: $0) }
        }, next: next)
    }
  }

  package func schedules(of jobs: [JobName]) throws(StoreError) -> [JobMemory] {
    try with { state in
      state.orderedJobs.filter { jobs.contains($0.name) }.compactMap { job in
        job.schedule.map { JobMemory(job: job.name, schedule: $0) }
      }
    }
  }

  package func sharedMemory() throws(StoreError) -> SharedMemory { try with { $0.shared } }

  package func coolDowns(after now: Timestamp) throws(StoreError) -> [ExactText: Timestamp] {
    try with { state in
      state.coolDowns.filter { $0.value > now && $0.value <= now + RetryAfter.delayMax }
    }
  }

  package func skips(job: JobName?, limit: Int) throws(StoreError) -> [SkipRecord] {
    try with { state in
      let skips = state.skips.reversed().filter { skip in
        job.map { skip.job == $0 } ?? true
      }
      return Array(skips.prefix(limit))
    }
  }

  package func abandoned() throws(StoreError) -> [JobName] {
    try with { $0.recovery.abandonedJobs }
  }

  package func remember(_ memory: SchedulerMemory) throws(StoreError) {
    try with { state in
      for (name, plugin, schedule) in memory.schedules {
        state.change(name, plugin: plugin) { $0.remember(schedule) }
      }
      state.shared.merge(memory.shared)
      state.coolDowns.merge(memory.coolDowns, uniquingKeysWith: MemoryState.coolDown)
      let rescued = Set(memory.rescued)
      state.recovery.abandonedJobs.removeAll { rescued.contains($0) }
      state.skips += memory.skips
      for job in Set(memory.skips.map { $0.job }) {
        let all = state.skips.indices.filter { state.skips[$0].job == job }
        for index in all.dropLast(SkipRecord.keptPerJob).reversed() {
          state.skips.remove(at: index)
        }
      }
    }
  }

  package func forgetAbandoned(_ job: JobName) throws(StoreError) {
    var memory = SchedulerMemory()
    memory.rescued = [job]
    try remember(memory)
  }
}
