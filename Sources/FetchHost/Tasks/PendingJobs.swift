/// Swift's jobs, in the order they came.
struct PendingJobs {
  private var jobs: [UnownedJob] = []
  private var takenCount = 0

  /// Places of jobs that are gone are given back when there are so many, and no fewer than those
  /// that are left: each job is moved once at most, in the mean.
  private static let takenMin = 1024

  mutating func append(_ job: UnownedJob) { jobs.append(job) }

  mutating func popFirst() -> UnownedJob? {
    guard takenCount < jobs.count else { return nil }
    defer { giveBack() }
    takenCount += 1
    return jobs[takenCount - 1]
  }

  private mutating func giveBack() {
    if takenCount == jobs.count {
      jobs.removeAll(keepingCapacity: takenCount <= Self.takenMin)
    } else if takenCount >= Self.takenMin, takenCount * 2 >= jobs.count {
      jobs.removeFirst(takenCount)
    } else {
      return
    }
    takenCount = 0
  }
}
