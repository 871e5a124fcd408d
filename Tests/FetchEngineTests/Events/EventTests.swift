import FetchConfig
import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@Suite struct EventTests {
  private static let delivery = Delivery(
    id: 7, hook: "team", job: "news", event: .newData, payload: "{}", key: "k",
    createdAt: Timestamp(seconds: 1_795_000_000))
  private static let single = DeliveryBatch([delivery])!
  private static let digest = DeliveryBatch([delivery, delivery, delivery], isDigest: true)!
  private static let refusal = StoreError(.full, "the disk is full")

  @Test(arguments: [
    (Event.jobNotice(job: "news", .broken(failures: 3)), "news: it failed 3 times in a row"),
    (.pluginLoad(job: "news", nil), "news: its plugin can now be loaded"),
    (.hookLoad(hook: "team", nil), "hook 'team': its file can now be loaded"),
    (.hookLogged(hook: "team", LogLine(.info, "sent")), "hook team: sent"),
    (
      .deliveryRetried(single, reason: "answered 500"),
      "hook 'team': delivery 7 of news is retried: answered 500"
    ),
    (
      .deliveryAbandoned(single, reason: "answered 404", command: "fetchrun deliveries"),
      "hook 'team': delivery 7 of news was given up: answered 404; see fetchrun deliveries --failed"
    ),
    (
      .deliveryRetried(digest, reason: "answered 500"),
      "hook 'team': a digest of 3 deliveries is retried: answered 500"
    ),
    (
      .deliveryAbandoned(digest, reason: "answered 404", command: "fetchrun deliveries"),
      "hook 'team': a digest of 3 deliveries was given up: answered 404;"
        + " see fetchrun deliveries --failed"
    ),
    (
      .deliveriesWait(hook: "team", reason: "the budget is spent"),
      "hook 'team': deliveries wait: the budget is spent"
    ),
    (
      .transfersLeft(count: 1),
      "1 transfer stays queued; it can continue with a later run of its job, or with "
        + "`fetchrun serve` if the config has the job"
    ),
    (
      .transfersLeft(count: 2),
      "2 transfers stay queued; they can continue with later runs of their jobs, or with "
        + "`fetchrun serve` if the config has the jobs"
    ),
    (
      .deliveriesLeft(count: 1, next: "a later run", command: "fetchrun deliveries"),
      "1 delivery waits in the outbox for a later run: see fetchrun deliveries"
    ),
    (
      .deliveriesLeft(count: 2, next: "a later run", command: "fetchrun deliveries"),
      "2 deliveries wait in the outbox for a later run: see fetchrun deliveries"
    ),
    (.storeRefused(.schedules, refusal), "the disk is full"),
    (.storeRefused(.jobAges, refusal), "cannot check jobs for staleness: the disk is full"),
    (
      .storeRefused(.delivery(hook: "team", retryAfter: .seconds(30)), refusal),
      "hook 'team': the disk is full; retrying in 30 s"
    ),
    (
      .storeRefused(.deliveries, refusal),
      "cannot read deliveries: the disk is full; retrying"
    ),
    (.storeRefused(.transfer(3), refusal), "transfer 3: the disk is full"),
    (
      .serving(JobCount(all: 2), config: "f.yaml", sandbox: "seccomp"),
      "serving 2 jobs of f.yaml (sandbox: seccomp)"
    ),
    (
      .serving(JobCount(all: 3, disabled: 1), config: "f.yaml", sandbox: "seccomp"),
      "serving 3 jobs (1 disabled) of f.yaml (sandbox: seccomp)"
    ),
    (.stopping(runCount: 0, timeMax: .seconds(27)), "stopping: 0 runs under way"),
    (
      .stopping(runCount: 1, timeMax: .seconds(27)),
      "stopping: 1 run under way; waiting at most 27s; send the signal again to end now"
    ),
    (
      .outputDropped(.log, count: 312), "312 messages dropped: the log reader is too slow"
    ),
    (.unwatched(.files, reason: "too many"), "files are not watched: too many"),
  ])
  func `an event has one line in a log`(event: Event, line: String) {
    #expect(event.entry?.line == line)
  }

  @Test func `the log line of a job names it once`() {
    #expect(LogEntry("it failed", job: "a").line == "a: it failed")
    #expect(LogEntry("a: it failed", job: "a").line == "a: it failed")
  }

  @Test func `subscribers receive an event in their order`() {
    let order = Mutex<[Int]>([])
    let sink = EventSink { _ in order.withLock { $0.append(1) } }
      .and(EventSink { _ in order.withLock { $0.append(2) } })
    sink.emit(.reloading)
    #expect(order.withLock { $0 } == [1, 2])
  }
}
