import Dispatch
import FetchModel
import FetchStore
import FetchValues

/// A commit that waits to be stored together with others.
struct PendingCommit: Sendable {
  var commit: RunCommit
  /// The approximate size of the commit: see `byteCount(of:)`.
  var byteCount: Int
  var end: @Sendable (Result<CommitReceipt, StoreError>) -> Void

  /// Returns the approximate size of the large parts of a commit, in bytes: changes, state,
  /// deliveries and kept answers. Counts the changes only until the size exceeds
  /// `PendingCommits.bytesMax`.
  static func byteCount(of commit: RunCommit) -> Int {
    var byteCount = commit.kept?.content.count ?? 0
    byteCount += commit.state?.encoded.count ?? 0
    for delivery in commit.deliveries { byteCount += delivery.payload.byteCount }
    for change in commit.changes.changes {
      if byteCount > PendingCommits.bytesMax { break }
      byteCount += ItemChange.storedBytes(key: change.key, fields: 2)
      if let item = change.item { byteCount += Self.byteCount(of: item) }
    }
    return byteCount
  }

  /// The texts of an item are counted without their JSON, since encoding takes as long as the rest
  /// of a commit.
  private static func byteCount(of item: ParsedItem) -> Int {
    let texts = [
      item.title, item.url, item.published, item.updated, item.author, item.summary, item.content,
    ]
    let ownCount = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    let tagCount = item.tags.reduce(0) { $0 + $1.utf8.count }
    return item.fields.members.reduce(ownCount + tagCount) { count, field in
      let value = field.value.stringValue?.utf8.count ?? field.value.encoded.count
      return count + field.key.utf8.count + value
    }
  }
}

struct PendingCommits: Sendable {
  var waiting: [PendingCommit] = []
  var isDraining = false
  /// The time until which the waiting commits may wait for further commits; nil if none wait.
  private(set) var end: DispatchTime?
  /// The time at which the last timer fires.
  var timer: DispatchTime?

  static let batchMax = 64
  /// The maximum size of a batch with several commits, in bytes. Without this limit, many large
  /// commits together could exceed every time limit of the connection.
  static let bytesMax = 8 << 20

  /// Returns the maximum time in milliseconds for which a commit waits for other commits. The time
  /// is 1,000 for a quiet commit, otherwise 20. A quiet commit ends a run whose trigger is not
  /// `manual`. The commit has no failure, changes, deliveries, transfers, cooldowns or state, and
  /// marks no transfer as told.
  static func waitMax(of commit: RunCommit) -> Int {
    let isQuiet =
      commit.part == .end && commit.record.trigger != .manual
      && commit.record.outcome.failure == nil && commit.deliveries.isEmpty
      && commit.changes.changes.isEmpty && commit.transfers.isEmpty && commit.coolDowns.isEmpty
      && commit.toldTransfer == nil && commit.state == nil
    return isQuiet ? 1_000 : 20
  }

  mutating func endsWithin(_ milliseconds: Int) {
    let limit = DispatchTime.now() + .milliseconds(milliseconds)
    end = end.map { min($0, limit) } ?? limit
  }

  /// Removes and returns the next batch. The commits of one job are in different batches, in their
  /// order. A batch has at least one commit, even if this commit is larger than `bytesMax`.
  mutating func next() -> [PendingCommit] {
    var jobs: Set<JobName> = []
    var batch: [PendingCommit] = []
    var byteCount = 0
    var rest: [PendingCommit] = []
    for pending in waiting {
      let isFirst = jobs.insert(pending.commit.record.job).inserted
      let fits = batch.isEmpty || byteCount + pending.byteCount <= Self.bytesMax
      if isFirst, fits, batch.count < Self.batchMax {
        batch.append(pending)
        byteCount += pending.byteCount
      } else {
        rest.append(pending)
      }
    }
    waiting = rest
    if rest.isEmpty { (end, timer) = (nil, nil) }
    return batch
  }
}
