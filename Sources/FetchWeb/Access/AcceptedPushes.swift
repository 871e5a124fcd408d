import FetchModel
import FetchValues
import Synchronization

/// The ids of the signed pushes that this process has accepted within the last ten minutes. After a
/// restart of the process, a push can be repeated until five minutes after its timestamp. Even
/// then, pushes start the job at most once a minute.
package final class AcceptedPushes: Sendable {
  private let ids = Mutex(WebhookIDs())

  func take(_ id: String, of job: JobName, now: Timestamp) -> WebhookIDs.Answer {
    ids.withLock { $0.take(id, of: job, now: now) }
  }

  func giveBack(_ id: String, of job: JobName) { ids.withLock { $0.giveBack(id, of: job) } }
}
