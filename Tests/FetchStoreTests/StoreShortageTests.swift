import FetchStore
import Glibc
import Testing

@testable import FetchStoreSQLite

/// Tests of the messages about a store that lacks memory or descriptors. Such a lack is not a fault
/// of the store's path.
@Suite struct StoreShortageTests {
  @Test(arguments: [
    (EMFILE, "Too many open files", "raise the limit of open files with `ulimit -n`"),
    (ENFILE, "Too many open files in system", "end other programs"),
    (ENOMEM, "Cannot allocate memory", "end other programs"),
    (EIO, "Input/output error", "check the path"),
  ]) func `the advice about a file depends on what the system lacks`(
    code: Int32, reason: String, advice: String
  ) {
    let error = StoreFiles.error(code, "/a")
    #expect(error.code == .unreachable)
    #expect(error.message == "the path /a of the store cannot be used (\(reason)): \(advice)")
  }

  @Test func `a lack of memory in SQLite is not blamed on the disk`() {
    let noMemory: Int32 = 7  // SQLITE_NOMEM
    let error = StoreError(sqliteCode: noMemory, detail: "out of memory", path: "/a")
    #expect(error.code == .unreachable)
    #expect(error.message == "the store /a cannot be used (out of memory): end other programs")
  }
}
