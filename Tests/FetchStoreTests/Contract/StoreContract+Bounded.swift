import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// The contract for the bounded reads that servers need.
extension StoreContract {
  /// Stores the start of a run. The run ends when the returned function is called.
  private func begin(
    _ number: Int, _ store: any Store, outcome: Outcome = .noData(.sameItems),
    at time: Timestamp = Runs.start
  ) async throws -> () async throws -> Void {
    let record = Runs.record(number, job: "job\(number)", outcome: outcome, at: time)
    _ = try await store.openJob(
      record.job, run: record.run, plugin: nil, noting: record)
    return { _ = try await store.commit(RunCommit(record: record)) }
  }

  @Test(arguments: StoreKind.allCases)
  func `runs are numbered when they end, not when they begin`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    #expect(try await store.lastEnded() == 0)
    let first = try await begin(1, store)
    let second = try await begin(2, store)
    try await second()
    #expect(try await store.lastEnded() == 1)
    let third = try await begin(3, store)
    try await first()
    try await third()
    let ends = try await store.endedRuns(after: 0, limit: 10)
    #expect(ends.runs.map(\.ended) == [1, 2, 3])
    #expect(ends.runs.map(\.record.job) == ["job2", "job1", "job3"])
    #expect(ends.end == 3 && ends.isLast && !ends.hasGap)
    #expect(try await store.runs(RunQuery(), after: nil).elements.map(\.job).first == "job3")
    let rest = try await store.endedRuns(after: 1, limit: 1)
    #expect(rest.runs.map(\.record.job) == ["job1"])
    #expect(rest.end == 2 && !rest.isLast)
    #expect(try await store.endedRuns(after: 3, limit: 1).runs.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `the numbers of ended runs continue after a restart with unfinished runs`(
    kind: StoreKind
  ) async throws {
    var bench = try await StoreBench(kind)
    var number = 0
    for _ in 1...3 {
      let store = bench.store
      let end = try await begin(number + 1, store)
      _ = try await begin(number + 2, store)
      try await end()
      number += 2
      bench = try await bench.restarted()
    }
    let ends = try await bench.store.endedRuns(after: 0, limit: 10)
    #expect(ends.runs.map(\.ended) == [1, 2, 3, 4, 5, 6])
    #expect(ends.runs.map(\.record.job) == (1...6).map { JobName("job\($0)") })
    let failures = ends.runs.map { $0.record.outcome.failure?.code }
    #expect(failures == [nil, .abandoned, nil, .abandoned, nil, .abandoned])
  }

  @Test(arguments: StoreKind.allCases)
  func `a reader that continues by the numbers of ended runs misses none`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let count = 100
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          try await Runs.run(number, store, job: "job\(number)", items: [Runs.item("a")])
        }
      }
      var found: [EndedRuns.Run] = []
      while found.count < count {
        let ends = try await store.endedRuns(after: found.last?.ended ?? 0, limit: 7)
        found += ends.runs
        #expect(!ends.hasGap && ends.end == found.last?.ended ?? 0)
        // The changes of the runs are stored with their ends.
        #expect(ends.lastSequence >= Int64(found.count))
        await Task.yield()
      }
      try await group.waitForAll()
      #expect(found.map(\.ended) == (1...Int64(count)).map { $0 })
      #expect(Set(found.map(\.record.job)).count == count)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a reader far behind, or of another store, is sent to the end`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, items: [])
    for number in [2, 99, Int64.max] {
      let ends = try await store.endedRuns(after: number, limit: 5)
      #expect(ends.hasGap && ends.runs.isEmpty && ends.end == 1)
    }
    #expect(try await store.endedRuns(after: .min, limit: .min).runs.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `pages of runs are newest first, of a job and of an outcome`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 0..<30 {
      let outcome: Outcome =
        number % 5 == 0
        ? .failed(Failure(.tls, "no"))
        : number % 3 == 0 ? .newData(ChangeCounts(added: 1)) : .noData(.empty)
      let record = Runs.record(number, job: number % 2 == 0 ? "even" : "odd", outcome: outcome)
      _ = try await store.commit(RunCommit(record: record))
    }
    _ = try await begin(31, store)
    func all(_ query: RunQuery) async throws -> [RunID] {
      var ids: [RunID] = []
      var mark: PageMark?
      repeat {
        let page = try await store.runs(query, after: mark)
        #expect(page.elements.count <= query.limit)
        ids += page.elements.map(\.run)
        mark = page.next
      } while mark != nil
      return ids
    }
    func ids(_ isWanted: (Int) -> Bool) -> [RunID] {
      (0..<30).reversed().filter(isWanted).map(Runs.id)
    }
    #expect(try await all(RunQuery()) == ids { _ in true })
    #expect(try await all(RunQuery(limit: 7)) == ids { _ in true })
    #expect(try await all(RunQuery(job: "odd", limit: 4)) == ids { $0 % 2 == 1 })
    #expect(try await all(RunQuery(outcome: .failed, limit: 2)) == ids { $0 % 5 == 0 })
    #expect(
      try await all(RunQuery(job: "even", outcome: .newData, limit: 2))
        == ids { $0 % 2 == 0 && $0 % 5 != 0 && $0 % 3 == 0 })
    #expect(try await all(RunQuery(job: "nobody")).isEmpty)
    let page = try await store.runs(RunQuery(limit: -5), after: .row(.max))
    #expect(page.elements.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `a change is found by its sequence, and the present items before one`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...3 {
      try await Runs.run(
        number, store, items: (1...4).map { Runs.item("\($0)", title: "\($0 == 1 ? number : 0)") })
    }
    try await Runs.run(4, store, job: "other", items: [Runs.item("x")])
    #expect(try await store.change(4)?.title == "1")
    #expect(try await store.change(6)?.title == "3")
    #expect(try await store.change(7)?.job == "other")
    for missing in [0, 8, -1, Int64.max] { #expect(try await store.change(missing) == nil) }
    func sequences(_ query: ItemQuery) async throws -> [Int64] {
      try await store.allItems(query).map(\.sequence)
    }
    #expect(try await sequences(ItemQuery(before: 7)) == [6, 3, 2, 1])
    #expect(try await sequences(ItemQuery(before: 6, limit: 2)) == [3, 2])
    #expect(try await sequences(ItemQuery(job: "news", before: 4)) == [3, 2, 1])
    #expect(try await sequences(ItemQuery(job: "news", before: 4, limit: 1)) == [3])
    #expect(try await sequences(ItemQuery(job: "news", limit: 2)) == [6, 3])
    #expect(try await sequences(ItemQuery(before: .min)).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `changes of a quiet job are read in bounded steps`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, job: "quiet", items: [Runs.item("a")])
    let many = (0..<ReadBounds.rowsScannedMax).map { Runs.item("\($0)") }
    try await Runs.run(2, store, items: many)
    try await Runs.run(3, store, job: "quiet", items: [Runs.item("b")])
    let first = try await store.changes(ChangeQuery(job: "quiet", since: 0))
    #expect(first.changes.map(\.key.text) == ["a"])
    #expect(first.end == Int64(ReadBounds.rowsScannedMax) && !first.isLast)
    let second = try await store.changes(ChangeQuery(job: "quiet", since: first.end))
    #expect(second.changes.map(\.key.text) == ["b"])
    for (limit, keys) in [(1, ["b"]), (2, ["b", "a"]), (3, ["b", "a"])] {
      let newest = try await store.allItems(ItemQuery(job: "quiet", limit: limit))
      #expect(newest.map(\.key.text) == keys)
    }
    #expect(second.end == Int64(many.count) + 2 && second.isLast)
    let none = try await store.changes(ChangeQuery(job: "quiet", since: second.end))
    #expect(none == ChangePage([], end: second.end, isLast: true))
    let page = try await store.changes(ChangeQuery(since: 5, limit: 3))
    #expect(page.changes.map(\.sequence) == [6, 7, 8])
    #expect(page.end == 8 && !page.isLast)
    let most = try await store.changes(ChangeQuery(since: .min, limit: .max))
    #expect(most.changes.count == PageMark.countMax)
    #expect(try await store.changes(ChangeQuery(since: .max)).isLast)
  }

  @Test(arguments: StoreKind.allCases)
  func `the last change of a job is found in bounded steps, whatever its kind`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    #expect(
      try await store.lastChange(of: nil, after: 0) == LastChange(nil, end: 0, isLast: true))
    var rules = ItemRules()
    rules.firstRun = .baseline
    try await Runs.run(1, store, job: "quiet", items: [Runs.item("a")], rules: rules)
    let many = (0..<ReadBounds.rowsScannedMax).map { Runs.item("\($0)") }
    try await Runs.run(2, store, items: many)
    let all = Int64(many.count) + 1
    let first = try await store.lastChange(of: "quiet", after: 0)
    #expect(first == LastChange(1, end: all - 1, isLast: false))
    #expect(
      try await store.lastChange(of: "quiet", after: 1) == LastChange(nil, end: all, isLast: true))
    #expect(try await store.lastChange(of: "news", after: 1).sequence == all)
    #expect(try await store.lastChange(of: nil, after: 0).sequence == all)
    #expect(try await store.lastChange(of: "nobody", after: 5).sequence == nil)
    for end in [all, Int64.max] {
      #expect(
        try await store.lastChange(of: nil, after: end) == LastChange(nil, end: all, isLast: true))
    }
    #expect(try await store.lastChange(of: "quiet", after: .min).sequence == 1)
  }

  @Test func `another process sees that the store has changed`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [])
    let reader = try StoreReader(at: path)
    let version = try reader.dataVersion()
    #expect(try reader.dataVersion() == version)
    try await Runs.run(2, store, items: [])
    #expect(try reader.dataVersion() != version)
    try await store.close()
  }

  @Test(arguments: StoreKind.allCases)
  func `marks and counts have the runs of a period`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let outcomes: [Outcome] = [
      .newData(ChangeCounts(added: 1)), .noData(.empty), .failed(Failure(.tls, "no")),
    ]
    for number in 0..<12 {
      let time = Runs.start + .seconds(Int64(number) * 100)
      let record = Runs.record(
        number, job: "job\(number % 2)", outcome: outcomes[number % 3], at: time)
      _ = try await store.commit(RunCommit(record: record))
    }
    _ = try await begin(20, store, at: Runs.start + .seconds(600))
    let (start, end) = (Runs.start + .seconds(300), Runs.start + .seconds(900))
    let marks = try await store.runMarks(of: nil, from: start, until: end)
    #expect(marks.map(\.job) == ["job0", "job1"])
    #expect(
      marks[0].marks == [
        RunMark(startedAt: Runs.start + .seconds(400), outcome: .noData),
        RunMark(startedAt: Runs.start + .seconds(600), outcome: .newData),
        RunMark(startedAt: Runs.start + .seconds(800), outcome: .failed),
      ])
    let named = try await store.runMarks(of: ["job1", "nobody"], from: start, until: end)
    #expect(named == [marks[1]])
    #expect(try await store.runMarks(of: nil, from: end, until: start).isEmpty)
    #expect(try await store.runMarks(of: ["job1"], from: end, until: start).isEmpty)
    var counts = try await store.runCounts(from: Runs.start, until: end)
    let starts = [0, 300, 600].map { Runs.start.seconds + $0 }
    #expect(counts.buckets.map(\.startsAt.seconds) == starts)
    #expect(counts.buckets.map(\.newData) == [1, 1, 1])
    #expect(counts.buckets.map(\.failed) == [1, 1, 1])
    #expect(counts.buckets.map(\.total) == [3, 3, 3])
    #expect(counts.ended == 12)
    // The counts are updated with the runs that have ended since then. Each run is counted once.
    try await Runs.run(30, store, items: [], at: Runs.start + .seconds(610))
    for _ in 1...2 { counts.add(try await store.endedRuns(after: counts.ended, limit: 9)) }
    #expect(counts.buckets.map(\.noData) == [1, 1, 2] && counts.ended == 13)
    counts.drop(before: Runs.start + .seconds(601))
    #expect(counts.buckets.count == 1)
  }
}
