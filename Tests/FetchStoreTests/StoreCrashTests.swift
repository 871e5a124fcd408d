import FetchStoreSQLite
import FetchValues
import Foundation
import Testing

/// Tests that kill a process at random instants while it writes to a store, hundreds of times.
@Suite struct StoreCrashTests {
  /// The number of stores. Each store grows before each kill, and is checked after each kill.
  static let storeCount = 6
  static let killsPerStore = 40

  @Test(arguments: 0..<storeCount)
  func `kill -9 at any instant neither loses nor repeats acknowledged data`(
    store number: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    var acknowledged: Set<String> = []
    for kill in 0..<Self.killsPerStore {
      let helper = try CrashHelper(store: path)
      // One round in eight kills the process within 20 ms of its start. The other rounds kill it
      // after at least one commit.
      let wanted = kill % 8 == 0 ? 0 : Int.random(in: 1...40)
      for _ in 0..<wanted { acknowledged.insert(try #require(helper.nextAcknowledged())) }
      usleep(UInt32.random(in: 0...(wanted == 0 ? 20_000 : 2_000)))
      acknowledged.formUnion(helper.kill())
      if FileManager.default.fileExists(atPath: path) { try CrashHelper.check(path, acknowledged) }
    }
    #expect(acknowledged.count > Self.killsPerStore)
  }

  @Test func `kill -9 during the creation leaves no store or a complete one`() throws {
    for delay in 0..<40 {
      let folder = try TemporaryFolder()
      let path = folder.file("store.sqlite")
      let helper = try CrashHelper(store: path)
      // The process takes the store's lock immediately before it creates the store.
      while !FileManager.default.fileExists(atPath: path + ".lock") { sched_yield() }
      usleep(UInt32(delay * 50))
      let acknowledged = Set(helper.kill())
      if FileManager.default.fileExists(atPath: path) {
        #expect(try StoreReader(at: path).check().isEmpty)
        try CrashHelper.check(path, acknowledged)
      } else {
        #expect(acknowledged.isEmpty)
      }
      let next = try CrashHelper(store: path)
      #expect(next.nextAcknowledged() != nil)
      _ = next.kill()
    }
  }

  @Test func `a second process reports the first one, waits for it, then continues`()
    throws
  {
    let folder = try TemporaryFolder()
    let first = try CrashHelper(store: folder.file("store.sqlite"))
    _ = try #require(first.nextAcknowledged())
    let second = try CrashHelper(store: folder.file("store.sqlite"))
    #expect(second.word() == "waiting for \(first.process.processIdentifier)\n")
    _ = first.kill()
    #expect(second.nextAcknowledged() != nil)
    _ = second.kill()
    #expect(try StoreReader(at: folder.file("store.sqlite")).check().isEmpty)
  }
}
