import FetchSchedule
import FetchValues

/// The jobs in the order of their names, sorted once for each set of jobs.
struct JobsByName: Sendable {
  private var version: Int?
  private(set) var numbers: [JobNumber] = []

  mutating func update(_ scheduler: Scheduler) {
    guard version != scheduler.namesVersion else { return }
    version = scheduler.namesVersion
    numbers = scheduler.unorderedNumbers.map { (scheduler[$0].name, $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the index of the first job whose name comes after the given name.
  func place(after name: JobName, _ scheduler: Scheduler) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if scheduler[numbers[middle]].name <= name {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension ScheduledJobs {
  /// Returns the numbers of the first jobs after the given name, in order of names, for which the
  /// body returns true.
  func numbers(
    after name: JobName?, max: Int, _ isWanted: (borrowing State, JobNumber) -> Bool
  ) -> [JobNumber] {
    withState { state in
      state.byName.update(state.scheduler)
      var place = name.map { state.byName.place(after: $0, state.scheduler) } ?? 0
      var found: [JobNumber] = []
      while place < state.byName.numbers.count, found.count < max {
        let number = state.byName.numbers[place]
        if isWanted(state, number) { found.append(number) }
        place += 1
      }
      return found
    }
  }
}
