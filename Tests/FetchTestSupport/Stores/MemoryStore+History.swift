package import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func check() throws(StoreError) -> [String] { try with { _ in [] } }

  package func facts() throws(StoreError) -> StoreFacts {
    try with { _ in StoreFacts(format: 1, database: "memory", byteCount: 0) }
  }

  // MARK: Items

  package func items(
    _ query: ItemQuery, after mark: PageMark?
  ) throws(StoreError) -> Page<StoredItem> {
    try with { state in
      var (last, left): (Int64?, Int?) = (query.since ?? query.before, query.limit)
      if case .sequence(let sequence, let rest) = mark { (last, left) = (sequence, rest) }
      let all = state.items(query, from: last)
      let count = min(left ?? .max, PageMark.countMax)
      let page = all.page(count)
      let rest = left.map { $0 - page.count }
      guard all.count > page.count, rest != 0, let end = page.last?.sequence else {
        return Page(page)
      }
      return Page(page, next: .sequence(end, left: rest))
    }
  }

  package func lastSequence() throws(StoreError) -> Int64 { try with { $0.lastSequence } }

  package func newsCount(of job: JobName, max: Int) throws(StoreError) -> Int {
    try with { state in
      let items = state.jobs[job]?.items.values.map { $0 } ?? []
      let count = items.count { state.changes[$0.sequence]?.item.change != .baseline }
      return min(count, max)
    }
  }

  package func versions(job: JobName, key: ItemKey) throws(StoreError) -> [StoredItem] {
    try with { state in
      var versions: [StoredItem] = []
      var sequence = state.jobs[job]?.items[key]?.sequence
      while let change = sequence.flatMap({ state.changes[$0] }) {
        versions.append(change.item)
        sequence = change.previous
      }
      return versions
    }
  }

  package func lastVersions(
    job: JobName, keys: [ItemKey]
  ) throws(StoreError) -> [ItemKey: LastVersion] {
    try with { state in
      var versions: [ItemKey: LastVersion] = [:]
      for key in keys {
        guard let item = state.jobs[job]?.items[key],
          let last = state.changes[item.sequence]?.item
        else { continue }
        versions[key] = LastVersion(title: last.title, url: last.url)
      }
      return versions
    }
  }

  // MARK: Runs

  package func runs(job: JobName?, limit: Int?) throws(StoreError) -> [RunRecord] {
    try with { state in
      let runs = state.runs.reversed().filter { run in
        !run.isRunning && (job.map { run.record.job == $0 } ?? true)
      }
      return runs.prefix(limit ?? .max).map(\.record)
    }
  }

  package func run(named name: String) throws(StoreError) -> RunRecord? {
    let all = try runs(job: nil, limit: nil)
    let begun = all.filter { $0.run.description.hasPrefix(name.lowercased()) }
    if begun.count == 1 { return begun.first }
    return all.first { $0.job == JobName(name) }
  }

  package func keptRuns() throws(StoreError) -> [KeptRunRow] {
    try with { $0.kept.reversed().map(\.row) }
  }

  package func keptAnswers(of run: RunID) throws(StoreError) -> [UInt8]? {
    try with { state in state.kept.first { $0.row.run == run }?.content }
  }

  // MARK: Jobs

  package func jobs() throws(StoreError) -> [JobStatus] {
    try with { state in
      state.jobs.values.sorted { $0.name < $1.name }.map { job in
        let runs = state.runs.map(\.record).filter { $0.job == job.name }
        let ended = state.runs.filter { !$0.isRunning && $0.record.job == job.name }.map(\.record)
        return JobStatus(
          name: job.name, plugin: job.plugin,
          itemCount: job.items.values.count { $0.known.presence == .present },
          lastRunAt: runs.map(\.startedAt).max(),
          lastSuccessAt: ended.filter { $0.outcome.failure == nil }.map(\.startedAt).max(),
          lastNewDataAt: ended.filter { $0.outcome.word == "newData" }.map(\.startedAt).max())
      }
    }
  }

  package func hasJob(_ name: JobName) throws(StoreError) -> Bool {
    try with { $0.jobs[name] != nil }
  }

  package func job(identity key: String) throws(StoreError) -> JobName? {
    try with { state in
      if state.jobs[JobName(key)] != nil { return JobName(key) }
      let identity = ExactText(key)
      return state.orderedJobs.first { $0.identity.map(ExactText.init) == identity }?.name
    }
  }

  package func hasResult(of job: JobName) throws(StoreError) -> Bool {
    try with { $0.jobs[job]?.firstResultAt != nil }
  }

  package func addresses(of job: JobName) throws(StoreError) -> [String] {
    try with { state in
      let conditions = state.jobs[job]?.validators.keys.map(\.text) ?? []
      let transfers = state.transfers.values.filter { $0.job == job }
      return conditions + transfers.map(\.request.url)
    }
  }
}

extension [StoredItem] {
  /// Returns at most `count` of the first items, up to the one that reaches
  /// `ReadBounds.pageBytesMax`.
  func page(_ count: Int) -> [StoredItem] {
    var bytesLeft = ReadBounds.pageBytesMax
    var page: [StoredItem] = []
    for item in prefix(count) where bytesLeft > 0 {
      bytesLeft -= item.fieldsJSON.utf8.count
      page.append(item)
    }
    return page
  }
}

extension MemoryState {
  /// Returns the changes after the sequence `last`, oldest first and without baseline items, if the
  /// query has `since`. Otherwise returns the present items before `last`, newest first.
  fileprivate func items(_ query: ItemQuery, from last: Int64?) -> [StoredItem] {
    func isWanted(_ item: StoredItem) -> Bool {
      query.job.map { item.job == $0 } ?? true
    }
    if query.since != nil {
      return changes.values.map(\.item)
        .filter { isWanted($0) && $0.change != .baseline && $0.sequence > last ?? 0 }
        .sorted { $0.sequence < $1.sequence }
    }
    return jobs.values.flatMap(\.items.values)
      .filter { $0.known.presence == .present && $0.sequence < last ?? .max }
      .compactMap { changes[$0.sequence]?.item }.filter(isWanted)
      .sorted { $0.sequence > $1.sequence }
  }
}
