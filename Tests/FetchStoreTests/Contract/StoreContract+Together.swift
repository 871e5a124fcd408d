import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// The contract for runs that end together, of which one cannot be stored.
extension StoreContract {
  private static let togetherCount = 20
  private static let badNumber = 10

  private static func job(_ number: Int) -> JobName { JobName("job\(number)") }

  /// Returns the end of a run with one new item and one delivery. A commit with the id of another
  /// job's transfer is rejected.
  private static func end(_ number: Int, transfer: Int64? = nil) throws -> RunCommit {
    let record = Runs.record(
      number, job: job(number), outcome: .newData(ChangeCounts(added: 1)))
    let rules = ItemRules()
    var commit = RunCommit(record: record)
    commit.changes = Diff.decide(
      IdentifiedItems([Runs.item("a")], rules: rules), rules: rules, known: KnownItems(),
      isFirstRun: true, isWhole: true, now: Runs.start)
    commit.deliveries = [
      NewDelivery(
        hook: "chat", job: record.job, run: record.run, event: .newData, payload: "{}",
        key: "\(number)", createdAt: Runs.start)
    ]
    if let transfer {
      let request = TransferRequest(url: "https://a.test/\(number)", to: try FilePath("a"))
      commit.transfers = [QueuedTransfer(id: transfer, request: request)]
    }
    return commit
  }

  @Test(arguments: StoreKind.allCases)
  func `of runs that end together with a bad one, all others are stored`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let transfer = try await store.newTransferID()
    _ = try await store.commit(try Self.end(0, transfer: transfer))
    let (count, bad) = (Self.togetherCount, Self.badNumber)
    for number in 1...count {
      _ = try await store.openJob(Self.job(number), run: Runs.id(number))
    }
    let commits = try (1...count).map { try Self.end($0, transfer: $0 == bad ? transfer : nil) }
    let firsts = await withTaskGroup(of: Int64?.self, returning: [Int64?].self) { group in
      for commit in commits {
        group.addTask {
          do throws(StoreError) { return try await store.commit(commit).firstSequence } catch {
            #expect(error.code == .rejected)
            #expect(commit.record.job == Self.job(bad))
            return nil
          }
        }
      }
      var firsts: [Int64?] = []
      for await first in group { firsts.append(first) }
      return firsts
    }
    // One commit is missing, and its numbers are not.
    #expect(firsts.count == count)
    #expect(firsts.compactMap(\.self).sorted() == (2...Int64(count)).map { $0 })
    let items = try await store.allItems(ItemQuery(since: 0))
    #expect(items.map(\.sequence) == (1...Int64(count)).map { $0 })
    let ends = try await store.endedRuns(after: 0, limit: 100)
    #expect(ends.runs.map(\.ended) == (1...Int64(count)).map { $0 })
    let jobs = Set((0...count).filter { $0 != bad }.map(Self.job))
    #expect(Set(ends.runs.map(\.record.job)) == jobs)
    #expect(Set(items.map(\.job)) == jobs)
    #expect(Set(try await store.pendingDeliveries(after: 0).map(\.job)) == jobs)
    #expect(Set(try await store.jobs().map(\.name)) == jobs)
    #expect(try await store.transfers(job: nil, endedLimit: nil).map(\.job) == [Self.job(0)])
    // The bad run still has its lease, and can store a result that is not bad.
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.openJob(Self.job(bad), run: Runs.id(99))
    }
    #expect(error?.code == .jobRunning)
    let receipt = try await store.commit(try Self.end(bad))
    #expect(receipt.firstSequence == Int64(count) + 1)
    #expect(try await store.runs(job: Self.job(bad), limit: nil).map(\.run) == [Runs.id(bad)])
    _ = try await store.openJob(Self.job(bad), run: Runs.id(99))
    #expect(try await store.check().isEmpty)
  }
}
