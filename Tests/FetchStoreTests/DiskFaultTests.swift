import FetchStoreSQLite
import Foundation
import Testing

/// A disk that says once that it could not write, at each place of a store's life.
@Suite struct DiskFaultTests {
  /// From the first fsync of a store that is made to those of its commits.
  @Test(arguments: 1...24)
  func `after a failed fsync nothing more is stored, and nothing that was told is lost`(
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
      // SQLite goes on where it could not make sure of a file's name: all is stored then.
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
