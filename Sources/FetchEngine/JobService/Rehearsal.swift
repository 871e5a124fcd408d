package import FetchHost
import FetchModel
package import FetchStore
import FetchValues

/// A run of a job of which nothing is kept: on a copy of what the store knows of the job, thrown away
/// afterwards. Its requests are real; its files are read and not changed, its downloads are not made,
/// and no hook is told of it.
package struct Rehearsal: Sendable {
  /// The store that the job belongs to; it need not be there, and another process may have it.
  private let store: StoreAddress
  private let makePipeline: @Sendable (any Store) -> RunPipeline
  private let lanes: RequestLanes?

  /// - Parameters:
  ///   - lanes: the turns that requests take; nil where there is one job alone.
  ///   - pipeline: makes a pipeline on the copy.
  package init(
    store: StoreAddress, lanes: RequestLanes? = nil,
    pipeline: @escaping @Sendable (any Store) -> RunPipeline
  ) {
    self.store = store
    self.lanes = lanes
    makePipeline = pipeline
  }

  /// What the run would come to. The items have no sequence: they are not stored.
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
    // A folder that is not there yet must not be made.
    let root = JobFolders(StateFolder(of: store)).path(of: job)
    job.files.root = FileBytes.isFolder(root) ? root : scratch.path + "/files"
    var report = await pipeline.run(job, trigger: .manual)
    report.lines = report.lines.map(\.unstored)
    try await copy.close()
    withExtendedLifetime(scratch) {}
    return report
  }
}
