/// What became of a trigger.
package enum TriggerAnswer: Hashable, Sendable {
  /// Due now; it starts when its lane and the budget let it.
  case due
  case waits(WaitReason)
  case skipped(SkipReason)
}
