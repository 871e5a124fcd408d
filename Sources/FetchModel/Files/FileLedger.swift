/// Keeps several writers of one folder within its quota: each reserves before it writes and settles
/// when it has, so that two at once cannot both take what is left.
///
/// What is refused changes nothing, and what takes away is never refused.
package struct FileLedger: Equatable, Sendable {
  package let quota: FileQuota
  /// What was found there, and has been settled since.
  package private(set) var settled: FileUse
  /// What writers under way may add yet.
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

  /// What was reserved has become `change`.
  package mutating func settle(_ use: FileUse, as change: FileUse) {
    reserved = reserved - use
    settled = settled + change
  }

  /// The folder was counted anew; writers under way are not in it, or are in it twice, which errs
  /// on the safe side.
  package mutating func recount(_ found: FileUse) { settled = found }
}
