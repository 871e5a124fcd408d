package import FetchModel
package import FetchValues

/// The objects that handlers use, such as the access to the store and to the daemon.
package struct WebContext: Sendable {
  package let store: WebStore
  package let control: WebControl
  package let access: WebAccess
  package let now: @Sendable () -> Timestamp
  package let clock: any Clock<Duration>
  /// The hooks of the config, from which the times of deliveries are computed; nil if the hooks are
  /// unknown.
  package var hooks: [HookConfig]?
  /// The jobs that the config disables; empty if the config is unknown.
  package var disabledJobs: Set<JobName> = []
  package let metrics = WebMetrics()
  /// The event streams.
  package let events: EventHub
  package let feedMarks = FeedMarks()
  package let acceptedPushes = AcceptedPushes()
  /// The limit on requests that wait for the end of a run. Each request waits at most a minute, so
  /// on average one of eight ends within eight seconds.
  package let runWaits = CallGate(runningMax: 8, waitingMax: 0, retrySeconds: 8)
  /// The function that creates the error page for people.
  package var errorPage: @Sendable (WebProblem) -> WebResponse = { problem in
    var response = WebResponse(
      problem.status, type: WebMedia.text, "\(problem.word.title)\n\n\(problem.detail)\n")
    for (name, value) in problem.headers.fields { response.headers.set(name, value) }
    return response
  }

  package init(
    store: WebStore, control: WebControl, access: WebAccess,
    now: @escaping @Sendable () -> Timestamp, clock: any Clock<Duration>
  ) {
    self.store = store
    self.control = control
    self.access = access
    self.now = now
    self.clock = clock
    events = EventHub(EventReading(store, control), clock: clock)
  }
}
