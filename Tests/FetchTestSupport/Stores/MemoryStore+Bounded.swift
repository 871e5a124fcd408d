package import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func change(_ sequence: Int64) throws(StoreError) -> StoredItem? {
    try with { $0.changes[sequence]?.item }
  }

  package func changes(_ query: ChangeQuery) throws(StoreError) -> ChangePage {
    try with { state in
      let all = state.changes.values.map(\.item)
        .filter { $0.sequence > query.since }.sorted { $0.sequence < $1.sequence }
      let scanned = all.prefix(ReadBounds.rowsScannedMax)
      let wanted = scanned.filter { item in
        item.change != .baseline
          && query.job.map { $0 == item.job } ?? true
      }
      let count = max(1, min(query.limit, PageMark.countMax))
      let page = wanted.page(count)
      let isCut = page.count == count || page.count < wanted.count
      let end = (isCut ? page.last : scanned.last)?.sequence ?? max(query.since, state.lastSequence)
      return ChangePage(page, end: end, isLast: end >= all.last?.sequence ?? 0)
    }
  }

  package func lastChange(
    of job: JobName?, after sequence: Int64
  ) throws(StoreError) -> LastChange {
    try with { state in
      let last = state.lastSequence
      let after = max(0, sequence)
      guard after < last else { return LastChange(nil, end: last, isLast: true) }
      guard let job else { return LastChange(last, end: last, isLast: true) }
      let end = min(last, after + Int64(ReadBounds.rowsScannedMax))
      let found = state.changes.values.map(\.item).filter { item in
        item.sequence > after && item.sequence <= end && item.job == job
      }
      return LastChange(found.map(\.sequence).max(), end: end, isLast: end == last)
    }
  }

  package func dataVersion() throws(StoreError) -> Int64 {
    try with { $0.lastSequence &+ $0.lastEnded }
  }

  package func sums() throws(StoreError) -> StoreSums {
    try with { state in
      var sums = StoreSums()
      for delivery in state.outbox.values.sorted(by: { $0.hook < $1.hook }) {
        sums.add(delivery.hook, delivery.state, 1, oldestAt: delivery.createdAt)
      }
      for transfer in state.transfers.values { sums.transfers[transfer.state, default: 0] += 1 }
      return sums
    }
  }

  package func lastEnded() throws(StoreError) -> Int64 { try with { $0.lastEnded } }

  package func endedRuns(after ended: Int64, limit: Int) throws(StoreError) -> EndedRuns {
    try with { state in
      var runs = EndedRuns()
      runs.end = state.lastEnded
      runs.lastSequence = state.lastSequence
      let after = max(0, ended)
      guard after <= state.lastEnded, state.lastEnded - after <= ReadBounds.endedMax else {
        runs.hasGap = true
        return runs
      }
      let all = state.runs.filter { $0.ended ?? 0 > after }.sorted { $0.ended ?? 0 < $1.ended ?? 0 }
      let part = all.prefix(max(1, min(limit, PageMark.countMax)))
      runs.runs = part.map { EndedRuns.Run(ended: $0.ended ?? 0, record: $0.record) }
      runs.isLast = part.count == all.count
      if !runs.isLast, let end = part.last?.ended { runs.end = end }
      return runs
    }
  }

  package func runs(
    _ query: RunQuery, after mark: PageMark?
  ) throws(StoreError) -> Page<RunRecord> {
    try with { state in
      var before = state.runs.count
      if case .row(let row) = mark { before = min(before, Int(row)) }
      let rows = state.runs.indices.prefix(before).reversed().filter { row in
        let run = state.runs[row]
        return !run.isRunning
          && query.job.map { run.record.job == $0 } ?? true
          && query.outcome.map { run.record.outcome.kind == $0 } ?? true
      }
      let page = rows.prefix(max(1, min(query.limit, PageMark.countMax)))
      let next = page.count < rows.count ? page.last.map { PageMark.row(Int64($0)) } : nil
      return Page(page.map { state.runs[$0].record }, next: next)
    }
  }

  package func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) throws(StoreError) -> [JobMarks] {
    try with { state in
      var marks: [JobName: [RunMark]] = [:]
      for run in state.runs where !run.isRunning {
        let startedAt = run.record.startedAt
        guard startedAt >= start, startedAt < end else { continue }
        marks[run.record.job, default: []].append(
          RunMark(startedAt: startedAt, outcome: run.record.outcome.kind))
      }
      let names = jobs.map { Array($0.prefix(ReadBounds.jobsMax)) }
      return (names ?? marks.keys.sorted()).compactMap { name in
        marks[name].map {
          JobMarks(job: name, marks: $0.suffix(ReadBounds.marksPerJobMax))
        }
      }
    }
  }

  package func runCounts(
    from start: Timestamp, until end: Timestamp
  ) throws(StoreError) -> RunCounts {
    try with { state in
      var counts = RunCounts()
      counts.ended = state.lastEnded
      for run in state.runs where !run.isRunning {
        let startedAt = run.record.startedAt
        if startedAt >= start, startedAt < end {
          counts.add(run.record.outcome.kind, startedAt: startedAt)
        }
      }
      return counts
    }
  }
}
