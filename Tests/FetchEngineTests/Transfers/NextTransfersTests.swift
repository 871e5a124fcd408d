import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the records that are read ahead for the transfers that begin next.
@Suite struct NextTransfersTests {
  private func records(_ ids: ClosedRange<Int64>) throws -> [TransferRecord] {
    try ids.map { id in
      let request = TransferRequest(url: "https://a.example/\(id)", to: try FilePath("\(id)"))
      return TransferRecord(
        id: id, job: "job", request: request, createdAt: Timestamp(milliseconds: 0))
    }
  }

  /// Returns the state after transfer 1 has begun and records were read for transfer 2, except the
  /// ones that changed during the read.
  private func afterReading(
    _ found: [TransferRecord], changed: [Int64] = []
  ) -> NextTransfers {
    var next = NextTransfers()
    let isFirst = next.beginReading(1)
    let isNext = next.beginReading(2)
    #expect([isFirst, isNext] == [false, true])
    for id in changed { next.changed(id) }
    let begun = next.endReading(found, 2)
    #expect(begun?.id == 2)
    return next
  }

  /// Returns the ids for which the state has a record.
  private func taken(_ ids: ClosedRange<Int64>, from next: inout NextTransfers) -> [Int64] {
    ids.compactMap { next.take($0)?.id }
  }

  @Test func `records are read together only while transfers begin in order`() throws {
    var next = NextTransfers()
    let reads = [3, 7, 8].map { next.beginReading($0) }
    #expect(reads == [false, false, true])
    let begun = next.endReading(try records(8...10), 8)
    #expect(begun?.id == 8)
    #expect(taken(9...11, from: &next) == [9, 10])
    #expect(taken(9...11, from: &next) == [])
    // The transfers whose records were taken have begun.
    let isNext = next.beginReading(11)
    #expect(isNext)
  }

  @Test func `a record that has changed is not used`() throws {
    var next = afterReading(try records(2...6), changed: [4])
    next.changed(5)
    #expect(taken(3...6, from: &next) == [3, 6])
  }

  @Test func `no record is used that another process may have changed`() throws {
    var next = afterReading(try records(2...4))
    next.dropAll()
    #expect(taken(3...4, from: &next) == [])
    let isNext = next.beginReading(3)
    next.dropAll()
    let begun = next.endReading(try records(3...4), 3)
    #expect(isNext && begun == nil)
    #expect(taken(3...4, from: &next) == [])
  }

  @Test func `ended transfers and records of an earlier read are not kept`() throws {
    var found = try records(2...5)
    found[1].state = .done
    var next = afterReading(found)
    #expect(taken(3...4, from: &next) == [4])
    let isNext = next.beginReading(5)
    let begun = next.endReading([], 5)
    #expect(isNext && begun == nil)
    #expect(taken(5...5, from: &next) == [])
  }
}
