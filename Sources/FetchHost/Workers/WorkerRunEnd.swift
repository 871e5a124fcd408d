package import FetchModel

/// The end of a run in a worker.
package struct WorkerRunEnd: Sendable {
  package var result: Result<WorkerProducts, Failure>
  package var usage = RunUsage()
  package var logs: [LogLine] = []
  /// The confinement of the worker that gave the result; nil if no worker could be started.
  package var isolation: IsolationReport?
  /// Held while a large result is in memory; nil for one that is not large.
  package internal(set) var turn: LargeResults.Turn?

  package init(_ result: Result<WorkerProducts, Failure>) { self.result = result }
}
