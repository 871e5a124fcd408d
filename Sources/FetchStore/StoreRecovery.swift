/// The work that earlier processes had left unfinished, and that was put right.
package struct StoreRecovery: Equatable, Sendable {
  /// Jobs with runs that nobody ended, now recorded as `abandoned`. They are named each time the store
  /// is opened, until `SchedulerMemory.rescued` names them.
  package var abandonedJobs: [String]
  /// Transfers that were under way, now queued again.
  package var requeuedTransferCount: Int

  package init(abandonedJobs: [String] = [], requeuedTransferCount: Int = 0) {
    self.abandonedJobs = abandonedJobs
    self.requeuedTransferCount = requeuedTransferCount
  }
}
