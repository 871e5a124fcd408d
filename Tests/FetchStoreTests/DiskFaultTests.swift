import FetchStoreSQLite
import Foundation
import Testing

/// A disk that reports one failed write, at each place of a store's life.
@Suite struct DiskFaultTests {
  /// The numbers of the fsync calls, from the creation of a store to its commits.
  @Test(arguments: 1...24)
  func `a failed fsync stops all writes and loses nothing acknowledged`(
    number: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let lines = try #require(try CrashHelper(store: path, failingSync: number).lines())
    let told = lines.filter { $0.contains(": ") }
    let acknowledged = Set(lines).subtracting(told)
    if told.first?.hasPrefix("not opened: ") == true {
      #expect(told.count == 1 && told[0].contains(path))
    } else if !told.isEmpty {
      // SQLite continues if it cannot sync a file's name; then everything is stored.
      #expect(told.count == 16)
      #expect(told.allSatisfy { $0.contains(path) })
      #expect(
        told.filter { $0.hasPrefix("again: ") }.allSatisfy {
          $0.hasSuffix("; nothing more is stored until fetchrun is started again")
        })
    }
    try CrashHelper.check(path, acknowledged)

    let next = try CrashHelper(store: path)
    let more = Set((0..<16).compactMap { _ in next.nextAcknowledged() }).union(next.kill())
    #expect(more.count >= 16)
    try CrashHelper.check(path, acknowledged.union(more))
  }
}
