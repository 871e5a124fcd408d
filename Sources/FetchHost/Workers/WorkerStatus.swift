package import FetchModel

/// One worker process as the pool sees it now.
package struct WorkerStatus: Equatable, Sendable {
  package let process: Int32
  package let plugin: String
  /// The number of runs in it, including waiting ones.
  package let runCount: Int
  /// The number of runs for which it has work.
  package let executingCount: Int
  /// The isolation that the worker has reported; nil until then.
  package let isolation: IsolationReport?
}
