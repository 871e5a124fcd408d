/// Whether a job's transfers may be carried out.
package enum TransferEligibility: Sendable {
  case ready(Job)
  /// The transfers wait, because the job is paused or disabled, or because the command does not run
  /// the job.
  case held
  /// The transfers fail, because the job no longer exists.
  case gone
}
