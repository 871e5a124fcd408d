import FetchModel

/// Many jobs, a bounded number of runs at once.
package struct RunBatch: Sendable {
  private let pipeline: RunPipeline
  private let parallelMax: Int

  package init(pipeline: RunPipeline, parallelMax: Int) {
    self.pipeline = pipeline
    self.parallelMax = max(1, parallelMax)
  }

  /// Runs every job once and reports each as it ends, with how many have ended. A cancelled task
  /// starts no further run; those under way end as `failed(cancelled)`.
  package func run(
    _ jobs: [Job], report: (RunReport, _ done: Int) -> Void
  ) async {
    let pipeline = pipeline
    await withTaskGroup(of: RunReport.self) { group in
      var waiting = jobs.makeIterator()
      func startNext() {
        guard !Task.isCancelled, let job = waiting.next() else { return }
        group.addTask { await pipeline.run(job, trigger: .manual) }
      }
      for _ in 0..<parallelMax { startNext() }
      var done = 0
      for await ended in group {
        done += 1
        report(ended, done)
        startNext()
      }
    }
  }
}
