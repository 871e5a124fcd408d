import FetchEngine
import Testing

/// A daemon may have 10,000 jobs, and while it loads them each is there twice.
@Suite struct JobSizeTests {
  @Test func `what each job is by itself is small, and its plugin is shared`() {
    // 16 of them are the time that a run may wait for its turn, and 16 what its name was made of.
    #expect(MemoryLayout<Job>.stride <= 288)
    #expect(MemoryLayout<Plugin>.size <= 3 * MemoryLayout<Int>.size)
  }
}
