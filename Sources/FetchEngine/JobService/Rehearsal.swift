package import FetchHost
import FetchModel
package import FetchStore
import FetchValues

/// A run of a job that changes neither the store nor the job's files. The run uses a temporary copy
/// of the job's data in the store. It sends requests, reads files, and calls the functions
/// `before_run` and `on_item` of the job's hooks. It makes no download and delivers no event to a
/// hook.
package struct Rehearsal: Sendable {
  /// The store with the job's data. The store need not exist. Another process may have it open for
  /// writing.
  private let store: StoreAddress
  private let makePipeline: @Sendable (any Store) -> RunPipeline
  private let lanes: RequestLanes?

  /// - Parameters:
  ///   - lanes: the lanes through which requests are sent; nil if requests are sent without lanes.
  ///   - pipeline: returns a pipeline that uses the copy of the store.
  package init(
    store: StoreAddress, lanes: RequestLanes? = nil,
    pipeline: @escaping @Sendable (any Store) -> RunPipeline
  ) {
    self.store = store
    self.lanes = lanes
    makePipeline = pipeline
  }

  /// Runs the job and returns the report of the run. The items have the sequence number 0, since
  /// the store does not receive the items.
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
    // The job's folder is not created if it does not exist yet.
    let root = JobFolders(StateFolder(of: store)).path(of: job)
    job.files.root = FileBytes.isFolder(root) ? root : scratch.path + "/files"
    var report = await pipeline.run(job, trigger: .manual)
    report.lines = report.lines.map(\.unstored)
    try await copy.close()
    withExtendedLifetime(scratch) {}
    return report
  }
}
