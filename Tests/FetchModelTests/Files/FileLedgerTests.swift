import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct FileLedgerTests {
  private static let quota = FileQuota(bytes: 1_000, count: 10)

  @Test func `two writers cannot both take the remaining space`() throws {
    var ledger = FileLedger(quota: Self.quota, found: FileUse(bytes: 400, count: 1))
    try ledger.reserve(FileUse(bytes: 600, count: 1))
    #expect(throws: FileQuotaProblem.bytes(1_000)) { try ledger.reserve(FileUse(bytes: 1)) }
    ledger.settle(FileUse(bytes: 600, count: 1), as: FileUse(bytes: 100, count: 1))
    try ledger.reserve(FileUse(bytes: 500, count: 1))
  }

  @Test func `a removal is never refused`() throws {
    var ledger = FileLedger(quota: Self.quota, found: FileUse(bytes: 5_000, count: 50))
    try ledger.reserve(FileUse())
    #expect(throws: FileQuotaProblem.count(10)) { try ledger.reserve(FileUse(count: 1)) }
    ledger.settle(FileUse(), as: FileUse(bytes: -4_500, count: -45))
    try ledger.reserve(FileUse(bytes: 500, count: 5))
  }

  @Test func `a new count of the files keeps current reservations`() throws {
    var ledger = FileLedger(quota: Self.quota, found: FileUse(bytes: 900, count: 2))
    try ledger.reserve(FileUse(bytes: 100))
    ledger.recount(FileUse(bytes: 10, count: 1))
    try ledger.reserve(FileUse(bytes: 890))
    #expect(throws: FileQuotaProblem.bytes(1_000)) { try ledger.reserve(FileUse(bytes: 1)) }
  }

  @Test func `a refusal names the quota and what to do`() {
    #expect(
      FileQuotaProblem.bytes(10_000_000_000).description
        == "the folder may hold at most 10.0 GB (`files.bytes`); remove files or raise the quota")
    #expect(
      FileQuotaProblem.count(100).description
        == "the folder may hold at most 100 files and folders (`files.count`);"
        + " remove some or raise the quota")
  }

  /// The writers reserve space, write at most as much, give up, and remove files. The contents and
  /// the reserved space must never exceed the quota.
  @Test(arguments: 1...20) func `the quota is never exceeded, whatever the writers do`(seed: UInt64)
  {
    var chance = SeededGenerator(seed: seed)
    var ledger = FileLedger(quota: Self.quota, found: FileUse())
    var lying: [FileUse] = []
    var underWay: [FileUse] = []
    for _ in 0..<500 {
      switch Int.random(in: 0..<4, using: &chance) {
      case 0, 1:
        let use = FileUse(bytes: .random(in: 0...400, using: &chance), count: 1)
        if (try? ledger.reserve(use)) != nil { underWay.append(use) }
      case 2:
        guard let use = underWay.popLast() else { continue }
        let written = FileUse(bytes: .random(in: 0...use.bytes, using: &chance), count: 1)
        let isGivenUp = Bool.random(using: &chance)
        ledger.settle(use, as: isGivenUp ? FileUse() : written)
        if !isGivenUp { lying.append(written) }
      default:
        guard let use = lying.popLast() else { continue }
        ledger.settle(FileUse(), as: FileUse() - use)
      }
      let sum = (lying + underWay).reduce(FileUse(), +)
      #expect(sum.bytes <= 1_000 && sum.count <= 10)
      #expect(ledger.settled + ledger.reserved == sum)
    }
  }
}
