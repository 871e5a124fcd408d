/// The single thing that a running run waits for.
package enum RunWait: Hashable, Sendable {
  /// The end of another run of the same job.
  case turn
  /// A worker process: the queue of the pool, or the start of the process.
  case worker
  /// Its turn to send a request to a hostname.
  case lane(String)
  /// A hostname's answer to a request: the hostname that the plugin used, whatever it redirects to.
  case answer(String)
}
