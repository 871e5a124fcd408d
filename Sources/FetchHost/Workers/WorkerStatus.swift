package import FetchModel

/// One worker process as the pool sees it now.
package struct WorkerStatus: Equatable, Sendable {
  package let process: Int32
  package let plugin: String
  /// Runs in it, waiting ones too.
  package let runCount: Int
  /// Runs it has to do something for.
  package let executingCount: Int
  /// nil before it has said.
  package let isolation: IsolationReport?
}
