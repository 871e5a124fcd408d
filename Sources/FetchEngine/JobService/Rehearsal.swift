package import FetchHost
import FetchModel
package import FetchStore
import FetchValues

/// A run of a job of which nothing is kept: it works on a temporary copy of the job's part of the
/// store. Its requests are real; its files are read but not changed, its downloads are not made,
/// and no hook is notified of it.
package struct Rehearsal: Sendable {
  /// The store that the job belongs to; it need not exist, and another process may hold it.
  private let store: StoreAddress
  private let makePipeline: @Sendable (any Store) -> RunPipeline
  private let lanes: RequestLanes?

  /// - Parameters:
  ///   - lanes: the turns that requests take; nil for a single job.
  ///   - pipeline: makes a pipeline on the copy.
  package init(
    store: StoreAddress, lanes: RequestLanes? = nil,
    pipeline: @escaping @Sendable (any Store) -> RunPipeline
  ) {
    self.store = store
    self.lanes = lanes
    makePipeline = pipeline
  }

  /// Returns the result that the run would have. The items have no sequence, since they are not
  /// stored.
  package func run(_ job: Job) async throws -> RunReport {
    let scratch = try ScratchFolder()
    let copy = try await StoreOpener.copy(
      ofJob: job.name, from: store, to: scratch.path + "/store.sqlite")
    let base = makePipeline(copy)
    let gate = OpenGate(coolDowns: try await copy.coolDowns(after: base.services.time.now()))
    let pipeline = base.with { [lanes] in
      $0.news = .all
      $0.cooldowns = gate
      $0.isRehearsal = true
      $0.policy.lanes = lanes
    }
    var job = job
    // A folder that does not exist yet must not be created.
    let root = JobFolders(StateFolder(of: store)).path(of: job)
    job.files.root = FileBytes.isFolder(root) ? root : scratch.path + "/files"
    var report = await pipeline.run(job, trigger: .manual)
    report.lines = report.lines.map(\.unstored)
    try await copy.close()
    withExtendedLifetime(scratch) {}
    return report
  }
}
