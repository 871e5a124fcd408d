import FetchEngine
import Testing

@Suite struct TransferProgressTests {
  private func total(_ sizes: [Int64?]) -> Int64? {
    var progress = TransferProgress()
    progress.totalBytes = 0
    for size in sizes { progress.add(totalBytes: size) }
    return progress.totalBytes
  }

  @Test func `the total is known if the size of each transfer is known`() {
    #expect(total([]) == 0)
    #expect(total([5, 7]) == 12)
    #expect(total([5, nil, 7]) == nil)
  }

  @Test func `sizes whose sum exceeds the largest number have no total`() {
    #expect(total([.max, 1]) == nil)
    #expect(total([.max, .max, 5]) == nil)
    #expect(total(Array(repeating: 999_999_999_999_999_999, count: 12)) == nil)
  }
}
