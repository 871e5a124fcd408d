import FetchStoreSQLite
import Foundation
import Testing

/// Tests of a disk on which one fsync fails. The failing fsync varies from the store's creation to
/// its commits.
@Suite struct DiskFaultTests {
  /// The number of the failing fsync call, counted from the creation of the store.
  @Test(arguments: 1...24)
  func `a failed fsync stops all writes, and no acknowledged run is lost`(
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
      // If only the sync of a file's name fails, SQLite continues, and every run is stored.
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
