import FetchEngine
import Testing

/// A daemon may have 10,000 jobs, and while it loads them each is there twice.
@Suite struct JobSizeTests {
  @Test func `what each job is by itself is small, and its plugin is shared`() {
    #expect(MemoryLayout<Job>.stride <= 256)
    #expect(MemoryLayout<Plugin>.size <= 3 * MemoryLayout<Int>.size)
  }
}
