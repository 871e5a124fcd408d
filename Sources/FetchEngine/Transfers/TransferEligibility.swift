/// Whether a job's transfers may be carried out.
package enum TransferEligibility: Sendable {
  case ready(Job)
  /// They are left for another time: the job is paused or disabled, or is not this command's.
  case held
  /// The job is there no more: they fail.
  case gone
}
