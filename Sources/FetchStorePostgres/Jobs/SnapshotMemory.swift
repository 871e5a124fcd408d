import FetchModel
import FetchStore
import FetchValues

/// The remembered snapshots of jobs that were opened recently. Only this process changes the store.
/// A change updates or forgets the snapshots that it makes outdated.
struct SnapshotMemory {
  private struct Entry {
    var snapshot: JobSnapshot
    /// The plugin whose grant the snapshot has, as in `PinnedGrant.plugin`.
    var plugin: String?
    /// The size of the encoded state in bytes.
    var stateBytes: Int
    /// The value of `useCount` at the last use.
    var usedAt: Int
  }

  private var entries: [JobName: Entry] = [:]
  private var byteCount = 0
  private var useCount = 0
  private let bytesMax: Int

  /// - Parameter bytesMax: the maximum estimated size of all snapshots, in bytes.
  init(bytesMax: Int = 64 << 20) { self.bytesMax = bytesMax }

  /// Returns the remembered snapshot of a job with the grant of the plugin; nil if there is none.
  mutating func snapshot(of job: JobName, plugin: String?) -> JobSnapshot? {
    guard let entry = entries[job], entry.plugin.map(ExactText.init) == plugin.map(ExactText.init)
    else { return nil }
    useCount += 1
    entries[job]?.usedAt = useCount
    return entry.snapshot
  }

  /// Keeps a snapshot that was read. `stateBytes` is the size of its encoded state.
  mutating func keep(_ snapshot: JobSnapshot, plugin: String?, stateBytes: Int) {
    forget(snapshot.name)
    useCount += 1
    let entry = Entry(
      snapshot: snapshot, plugin: plugin, stateBytes: stateBytes, usedAt: useCount)
    byteCount += Self.bytes(of: entry)
    entries[snapshot.name] = entry
    if byteCount > bytesMax { forgetHalf() }
  }

  /// Updates the remembered snapshot of a job after a commit of the job was stored. Forgets the
  /// snapshot if the commit has a grant.
  ///
  /// - Parameter stateBytes: the size of the new encoded state; nil if the commit has no state.
  mutating func apply(_ commit: RunCommit, _ receipt: CommitReceipt, stateBytes: Int?) {
    let record = commit.record
    guard var entry = entries[record.job], commit.grant == nil else { return forget(record.job) }
    byteCount -= Self.bytes(of: entry)
    if let state = commit.state, let stateBytes {
      entry.snapshot.state = state.isNull ? Value?.none : state
      entry.snapshot.storedBytes += stateBytes - entry.stateBytes
      entry.stateBytes = stateBytes
    }
    entry.snapshot.storedBytes += receipt.byteCount
    entry.snapshot.validators.merge(commit.validators) { $1 }
    if commit.isResult, entry.snapshot.firstResultAt == nil {
      entry.snapshot.firstResultAt = record.startedAt
    }
    byteCount += Self.bytes(of: entry)
    entries[record.job] = entry
    if byteCount > bytesMax { forgetHalf() }
  }

  /// Whether the remembered snapshot of the job has these validators of an address.
  func has(_ validators: Validators, of url: ExactText, job: JobName) -> Bool {
    entries[job]?.snapshot.validators[url] == validators
  }

  mutating func forget(_ job: JobName) {
    guard let entry = entries.removeValue(forKey: job) else { return }
    byteCount -= Self.bytes(of: entry)
  }

  mutating func forgetAll() {
    entries = [:]
    byteCount = 0
  }

  /// Forgets the least recently used half of the snapshots.
  private mutating func forgetHalf() {
    let oldest = entries.sorted { $0.value.usedAt < $1.value.usedAt }
    for (job, _) in oldest.prefix((oldest.count + 1) / 2) { forget(job) }
  }

  /// Returns the estimated size of a snapshot in memory, in bytes. A decoded state is assumed to
  /// need four times the space of the encoded state.
  private static func bytes(of entry: Entry) -> Int {
    entry.snapshot.validators.reduce(512 + entry.stateBytes * 4) { sum, pair in
      sum + pair.key.text.utf8.count + (pair.value.reading?.count ?? 0) + 256
    }
  }
}

extension RunCommit {
  /// Whether the commit ends a successful run. Runs for one transfer do not count, since they show
  /// nothing about the source.
  var isResult: Bool {
    part == .end && record.trigger != .transfer && record.outcome.failure == nil
  }
}
