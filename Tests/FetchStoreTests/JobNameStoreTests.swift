import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the automatic names of jobs that no user has named.
@Suite struct JobNameStoreTests {
  @Test(arguments: StoreKind.allCases)
  func `a claimed name is found by its identity`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    #expect(try await bench.store.job(identity: "rss-1") == nil)
    try await bench.store.claim("rss-swift.org", identity: "rss-1", plugin: "rss")
    try await bench.store.claim("rss-swift.org-2", identity: "rss-2", plugin: "rss")
    let store = try await bench.restarted().store
    #expect(try await store.job(identity: "rss-1") == "rss-swift.org")
    #expect(try await store.job(identity: "rss-2") == "rss-swift.org-2")
    #expect(try await store.job(identity: "rss-swift.org") == "rss-swift.org")
    #expect(try await store.job(identity: "rss-3") == nil)
    #expect(try await store.hasJob("rss-swift.org"))
    for missing: JobName in ["rss", "rss-1"] { #expect(try await !store.hasJob(missing)) }
  }

  @Test func `the job of an earlier version is found by its name`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try await SQLiteStore.open(at: path)
    _ = try await store.commit(RunCommit(record: Runs.record(1, job: "rss-37946eb105")))
    try await store.close()
    #expect(try StoreReader(at: path).job(identity: "rss-37946eb105") == "rss-37946eb105")
    try OldStore.takeBack(path, to: 10)
    let old = try StoreReader(at: path)
    #expect(try old.job(identity: "rss-37946eb105") == "rss-37946eb105")
    #expect(try old.job(identity: "rss-1") == nil)
    let again = try await SQLiteStore.open(at: path)
    #expect(try again.reader.job(identity: "rss-37946eb105") == "rss-37946eb105")
    try await again.close()
  }

  @Test(arguments: StoreKind.allCases)
  func `a run stores the identity of its job, and the latest identity is used`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for (number, key) in [(1, "rss-1"), (2, "rss-2")] {
      var commit = RunCommit(record: Runs.record(number, job: "rss-swift.org"))
      commit.identity = key
      _ = try await store.commit(commit)
    }
    _ = try await store.commit(RunCommit(record: Runs.record(3, job: "rss-swift.org")))
    #expect(try await store.job(identity: "rss-2") == "rss-swift.org")
    #expect(try await store.job(identity: "rss-1") == nil)
  }
}
