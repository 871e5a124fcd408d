/// Whether a job's transfers may be carried out.
package enum TransferEligibility: Sendable {
  case ready(Job)
  /// They stay for another time: the job is paused or disabled, or the command does not run it.
  case held
  /// The job no longer exists: they fail.
  case gone
}
