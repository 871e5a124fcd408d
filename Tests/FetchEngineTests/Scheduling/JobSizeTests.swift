import FetchEngine
import Testing

/// Tests of a job's size in memory. A daemon may have 10,000 jobs, and a job can exist twice in
/// memory while a config is reloaded.
@Suite struct JobSizeTests {
  @Test func `each job takes little memory, and jobs share their plugin`() {
    // The limits and the config are stored outside `Job`, because few served jobs have either.
    #expect(MemoryLayout<Job>.stride <= 192)
    #expect(MemoryLayout<Plugin>.size <= 3 * MemoryLayout<Int>.size)
  }
}
