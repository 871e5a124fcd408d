/// The record of used and reserved space that keeps all writers of one folder within its quota.
///
/// Each writer reserves space before it writes, and replaces the reservation by the actual change
/// afterwards. Two concurrent writers thus cannot use the same space. A refused reservation changes
/// nothing, and a removal is never refused.
package struct FileLedger: Equatable, Sendable {
  package let quota: FileQuota
  /// The space in use at the last count of the folder, plus all changes that were settled since
  /// that count.
  package private(set) var settled: FileUse
  /// The space that current writers have reserved but not used yet.
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

  /// Replaces the reservation `use` by the actual change of the space in use.
  package mutating func settle(_ use: FileUse, as change: FileUse) {
    reserved = reserved - use
    settled = settled + change
  }

  /// Replaces the settled use by a new count of the folder. Files that are being written may be
  /// counted twice, in `found` and in `reserved`, which only makes the quota stricter.
  package mutating func recount(_ found: FileUse) { settled = found }
}
