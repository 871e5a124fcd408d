import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchStorePostgres

/// Tests of the choice of the commits that one transaction stores.
struct PendingCommitsTests {
  /// Returns the jobs of all batches, in order.
  private func batches(_ commits: [(job: JobName, byteCount: Int)]) -> [[String]] {
    var pending = PendingCommits()
    for (job, byteCount) in commits {
      let commit = RunCommit(record: Runs.record(1, job: job))
      pending.waiting.append(PendingCommit(commit: commit, byteCount: byteCount) { _ in })
    }
    var batches: [[String]] = []
    while !pending.waiting.isEmpty {
      batches.append(pending.next().map(\.commit.record.job.text))
    }
    return batches
  }

  @Test func `a batch ends before the commit that would make it too large`() {
    let most = PendingCommits.bytesMax
    #expect(batches([("a", most / 2), ("b", most / 2), ("c", 1)]) == [["a", "b"], ["c"]])
    #expect(batches([("a", 1), ("b", most), ("c", 1)]) == [["a", "c"], ["b"]])
    #expect(batches([("a", most * 2), ("b", 0)]) == [["a"], ["b"]])
  }

  @Test func `a small commit does not overtake a large one of the same job`() {
    let most = PendingCommits.bytesMax
    let found = batches([("a", 1), ("b", most), ("b", 1), ("c", 1), ("b", 1)])
    #expect(found == [["a", "c"], ["b"], ["b"], ["b"]])
  }

  @Test func `the size of a commit counts its changes and kept answers`() {
    var commit = RunCommit(record: Runs.record(1))
    #expect(PendingCommit.byteCount(of: commit) == 0)
    commit.kept = KeptAnswers(content: [UInt8](repeating: 0, count: 1_000), countMax: 1)
    commit.changes = Diff.decide(
      IdentifiedItems([Runs.item("a", title: "A")], rules: ItemRules()), rules: ItemRules(),
      known: KnownItems(), isFirstRun: true, isWhole: true, now: Runs.start)
    #expect(PendingCommit.byteCount(of: commit) == 1_001 + commit.changes.storedBytes)
  }

  @Test(arguments: [
    "url", "published", "updated", "author", "summary", "content", "tags", "nested",
  ])
  func `the size of a commit counts each part of an item`(part: String) {
    let text = String(repeating: "x", count: 1_000)
    var item = Runs.item("a")
    switch part {
    case "url": item.url = text
    case "published": item.published = text
    case "updated": item.updated = text
    case "author": item.author = text
    case "summary": item.summary = text
    case "content": item.content = text
    case "tags": item.tags = [text]
    default: item.fields.append("media", [["url": .string(text)]])
    }
    var commit = RunCommit(record: Runs.record(1))
    commit.changes = Diff.decide(
      IdentifiedItems([item], rules: ItemRules()), rules: ItemRules(), known: KnownItems(),
      isFirstRun: true, isWhole: true, now: Runs.start)
    #expect((1_000..<2_500).contains(PendingCommit.byteCount(of: commit)))
  }

  @Test func `the size of a commit counts its state and deliveries`() {
    let text = String(repeating: "x", count: 1_000)
    var commit = RunCommit(record: Runs.record(1))
    commit.state = .string(text)
    commit.deliveries = [
      NewDelivery(
        hook: "tell", job: "news", run: Runs.id(1), event: .newData,
        payload: DeliveryPayload(text), key: "k", createdAt: Runs.start)
    ]
    #expect((2_000..<2_100).contains(PendingCommit.byteCount(of: commit)))
  }
}
