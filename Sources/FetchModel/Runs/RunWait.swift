/// The event for which a run waits.
package enum RunWait: Hashable, Sendable {
  /// The end of another run of the same job.
  case turn
  /// A worker process. Either the run is in the pool's queue, or the worker process is starting.
  case worker
  /// The time when the run may send a request to the hostname.
  case lane(String)
  /// The answer to a request. The hostname is that of the plugin's request, even after redirects.
  case answer(String)
}
