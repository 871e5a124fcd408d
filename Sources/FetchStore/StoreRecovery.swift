/// The repaired work that earlier processes left unfinished.
package struct StoreRecovery: Equatable, Sendable {
  /// Jobs with unfinished runs, now recorded as `abandoned`. Each opening of the store returns them
  /// again until `SchedulerMemory.rescued` contains them.
  package var abandonedJobs: [String]
  /// Transfers that were under way, now queued again.
  package var requeuedTransferCount: Int

  package init(abandonedJobs: [String] = [], requeuedTransferCount: Int = 0) {
    self.abandonedJobs = abandonedJobs
    self.requeuedTransferCount = requeuedTransferCount
  }
}
