/// The one thing that a run under way waits for.
package enum RunWait: Hashable, Sendable {
  /// The end of another run of the same job.
  case turn
  /// A worker process: the queue of the pool, or the start of the process.
  case worker
  /// Its turn to send a request to a hostname.
  case lane(String)
  /// The answer of a hostname to a request: the one that the plugin asked, whatever it redirects to.
  case answer(String)
}
