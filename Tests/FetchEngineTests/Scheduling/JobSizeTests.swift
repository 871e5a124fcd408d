import FetchEngine
import Testing

/// A daemon may have 10,000 jobs, and during a load each exists twice.
@Suite struct JobSizeTests {
  @Test func `each job takes little memory, and jobs share their plugin`() {
    // 16 bytes are the time that a run may wait for its turn, and 16 the origin of its name.
    #expect(MemoryLayout<Job>.stride <= 288)
    #expect(MemoryLayout<Plugin>.size <= 3 * MemoryLayout<Int>.size)
  }
}
