/// The bookkeeping that keeps several writers of one folder within its quota.
///
/// Each writer reserves before it writes and settles afterwards, so that two concurrent ones cannot
/// take the same space. A refusal changes nothing, and a removal is never refused.
package struct FileLedger: Equatable, Sendable {
  package let quota: FileQuota
  /// The use found in the folder, plus what was settled since.
  package private(set) var settled: FileUse
  /// The use that current writers may still add.
  package private(set) var reserved = FileUse()

  package init(quota: FileQuota, found: FileUse) {
    self.quota = quota
    settled = found
  }

  package mutating func reserve(_ use: FileUse) throws(FileQuotaProblem) {
    let sum = settled + reserved + use
    if use.bytes > 0, sum.bytes > quota.bytes { throw .bytes(quota.bytes) }
    if use.count > 0, sum.count > quota.count { throw .count(quota.count) }
    reserved = reserved + use
  }

  /// Replaces the reservation `use` by the actual `change`.
  package mutating func settle(_ use: FileUse, as change: FileUse) {
    reserved = reserved - use
    settled = settled + change
  }

  /// Replaces the settled use by a new count. The count may miss current writers or include them
  /// twice, which errs on the safe side.
  package mutating func recount(_ found: FileUse) { settled = found }
}
