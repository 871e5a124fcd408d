package import FetchModel

/// How a run in a worker ended.
package struct WorkerRunEnd: Sendable {
  package var result: Result<WorkerProducts, Failure>
  package var usage = RunUsage()
  package var logs: [LogLine] = []
  /// What held the worker that gave the result; nil where no worker could be started.
  package var isolation: IsolationReport?
  /// Held while a large result is in memory; nil where it is not large.
  package internal(set) var turn: LargeResults.Turn?

  package init(_ result: Result<WorkerProducts, Failure>) { self.result = result }
}
