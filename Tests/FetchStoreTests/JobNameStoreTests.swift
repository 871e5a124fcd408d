import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the automatic names of jobs that no user has named.
@Suite struct JobNameStoreTests {
  private static func store() -> String {
    FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString).sqlite").path
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  @Test func `a claimed name is found by its identity`() async throws {
    let path = Self.store()
    defer { Self.remove(path) }
    let store = try await SQLiteStore.open(at: path)
    #expect(try store.reader.job(identity: "rss-1") == nil)
    try await store.claim("rss-swift.org", identity: "rss-1", plugin: "rss")
    try await store.claim("rss-swift.org-2", identity: "rss-2", plugin: "rss")
    try await store.close()
    let reader = try StoreReader(at: path)
    #expect(try reader.job(identity: "rss-1") == "rss-swift.org")
    #expect(try reader.job(identity: "rss-2") == "rss-swift.org-2")
    #expect(try reader.job(identity: "rss-3") == nil)
    #expect(try reader.hasJob("rss-swift.org") && !reader.hasJob("rss"))
  }

  @Test func `the job of an earlier version is found by its name`() async throws {
    let path = Self.store()
    defer { Self.remove(path) }
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

  @Test func `a run stores the identity of its job, and the latest identity is used`() async throws
  {
    let path = Self.store()
    defer { Self.remove(path) }
    let store = try await SQLiteStore.open(at: path)
    for (number, key) in [(1, "rss-1"), (2, "rss-2")] {
      var commit = RunCommit(record: Runs.record(number, job: "rss-swift.org"))
      commit.identity = key
      _ = try await store.commit(commit)
    }
    _ = try await store.commit(RunCommit(record: Runs.record(3, job: "rss-swift.org")))
    #expect(try store.reader.job(identity: "rss-2") == "rss-swift.org")
    #expect(try store.reader.job(identity: "rss-1") == nil)
    try await store.close()
  }
}
