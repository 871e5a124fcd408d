import FetchStore
internal import FetchValues
internal import GRDB

extension WriterConnection {
  func setSchedule(_ schedule: StoredSchedule, job: Int64) throws {
    let row = try statement(.setSchedule)
    row.bind(1, job)
    row.bind(2, schedule.content)
    try row.run()
    guard let learned = schedule.learned else { return }
    let learnedRow = try statement(.setLearned)
    learnedRow.bind(1, job)
    learnedRow.bind(2, learned)
    try learnedRow.run()
  }

  func setLedger(_ content: [UInt8], name: String) throws {
    let row = try statement(.setLedger)
    row.bind(1, name)
    row.bind(2, content)
    try row.run()
  }

  func remember(_ memory: SchedulerMemory) throws {
    for (job, plugin, schedule) in memory.schedules {
      try setSchedule(schedule, job: try existingJobID(job) ?? makeJob(job, plugin: plugin))
    }
    try setShared(memory.shared)
    for (origin, until) in memory.coolDowns { try setCoolDown(origin, until: until) }
    if !memory.rescued.isEmpty { try forgetAbandoned(memory.rescued) }
    for skip in memory.skips { try insert(skip) }
    for job in Set(memory.skips.map(\.job)) { try forgetOldSkips(of: job) }
  }

  private func insert(_ skip: SkipRecord) throws {
    let row = try statement(.insertSkip)
    row.bind(1, skip.job)
    row.bind(2, skip.at)
    row.bind(3, skip.reason)
    try row.run()
  }

  private func forgetOldSkips(of job: String) throws {
    let row = try statement(.forgetOldSkips)
    row.bind(1, job)
    row.bind(2, SkipRecord.keptPerJob)
    try row.run()
  }
}
