import FetchModel
import FetchValues
import Synchronization

/// The ids of the signed pushes that this process has accepted within the last ten minutes. A push
/// is skipped if one with the same id was accepted for the same job within this time. A restart of
/// the process loses the ids. A repeated push can then be accepted until five minutes after its
/// timestamp.
package final class AcceptedPushes: Sendable {
  /// The maximum number of ids of one job. A sender with the secret of one job therefore cannot
  /// block the pushes of the other jobs.
  static let countPerJobMax = 2_000

  private let ids = Mutex(WebhookIDs(countPerJobMax: countPerJobMax))

  func take(_ id: String, of job: JobName, now: Timestamp) -> WebhookIDs.Answer {
    ids.withLock { $0.take(id, of: job, now: now) }
  }

  func giveBack(_ id: String, of job: JobName) { ids.withLock { $0.giveBack(id, of: job) } }
}
