import FetchModel
import FetchStore
import Foundation
import Testing

/// Kills a process that writes to a store, at any instant, hundreds of times.
@Suite struct StoreCrashTests {
  /// Stores × kills: a store grows with each kill, and each is checked after each kill.
  static let storeCount = 6
  static let killsPerStore = 40

  @Test(arguments: 0..<storeCount)
  func `after kill -9 at any moment nothing acknowledged is lost and nothing is twice`(
    store number: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    var acknowledged: Set<String> = []
    for kill in 0..<Self.killsPerStore {
      let helper = try CrashHelper(store: path)
      // In some rounds before the first commit, in most ones in the middle of some later one.
      let wanted = kill % 8 == 0 ? 0 : Int.random(in: 1...40)
      for _ in 0..<wanted { acknowledged.insert(try #require(helper.nextAcknowledged())) }
      usleep(UInt32.random(in: 0...(wanted == 0 ? 20_000 : 2_000)))
      acknowledged.formUnion(helper.kill())
      if FileManager.default.fileExists(atPath: path) { try check(path, acknowledged) }
    }
    #expect(acknowledged.count > Self.killsPerStore)
  }

  private func check(_ path: String, _ acknowledged: Set<String>) throws {
    let reader: StoreReader
    do {
      reader = try StoreReader(at: path)
    } catch {
      // Killed before the tables were there: nobody was told of anything.
      #expect(error.code == .missing, "\(error.message)")
      #expect(acknowledged.isEmpty)
      return
    }
    #expect(try reader.check().isEmpty)
    let runs = try reader.runs()
    let names = runs.map(\.run.description)
    #expect(Set(names).count == names.count)
    #expect(acknowledged.subtracting(names).isEmpty)

    let firsts = Set(Dictionary(grouping: runs, by: \.job).values.compactMap { $0.last?.run })
    for run in runs {
      let isFirst = firsts.contains(run.run)
      let counts = ChangeCounts(added: isFirst ? 4 : 3, updated: isFirst ? 0 : 1)
      #expect(run.outcome == .newData(counts))
    }
    let log = try reader.items(ItemQuery(since: 0))
    #expect(log.count == runs.count * 4)
    #expect(log.map(\.sequence) == (0..<log.count).map { Int64($0 + 1) })
    let items = Set(try reader.items(ItemQuery()).map(\.key.text))
    #expect(items.isSuperset(of: names.flatMap { run in (0..<3).map { "\(run)/\($0)" } }))
    #expect(items.count == runs.count * 3 + min(1, runs.count))
  }

  @Test func `of two processes on one store the second says for whom it waits, then goes on`()
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
