/// The result of a trigger.
package enum TriggerAnswer: Hashable, Sendable {
  /// The job is due now and starts when its lane and the budget allow it.
  case due
  case waits(WaitReason)
  case skipped(SkipReason)
}
