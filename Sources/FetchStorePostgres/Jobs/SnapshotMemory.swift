import FetchModel
import FetchStore
import FetchValues

/// The snapshots of jobs that ran recently. A run of such a job needs no read, because only this
/// process changes the store.
struct SnapshotMemory {
  private struct Entry {
    var snapshot: JobSnapshot
    /// The plugin whose grant the snapshot has.
    var plugin: String?
    /// The size of the encoded state.
    var stateBytes: Int
    /// The time of the last use, as a count of uses.
    var usedAt: Int
  }

  private var entries: [JobName: Entry] = [:]
  private var byteCount = 0
  private var useCount = 0
  private let bytesMax: Int

  /// - Parameter bytesMax: the maximum size of all snapshots.
  init(bytesMax: Int = 64 << 20) { self.bytesMax = bytesMax }

  /// Returns the snapshot with the grant of a plugin; nil if it is not known.
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

  /// Applies a commit that was stored.
  ///
  /// - Parameter stateBytes: the size of the new encoded state; nil if the state did not change.
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

  /// Whether the store has these validators of an address already.
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

  /// Forgets the half that was not used for the longest time.
  private mutating func forgetHalf() {
    let oldest = entries.sorted { $0.value.usedAt < $1.value.usedAt }
    for (job, _) in oldest.prefix((oldest.count + 1) / 2) { forget(job) }
  }

  /// Returns an estimate of the memory of a snapshot. A decoded state takes a few times the space of
  /// the encoded one.
  private static func bytes(of entry: Entry) -> Int {
    entry.snapshot.validators.reduce(512 + entry.stateBytes * 4) { sum, pair in
      sum + pair.key.text.utf8.count + (pair.value.reading?.count ?? 0) + 256
    }
  }
}

extension RunCommit {
  /// Whether the commit ends a run that shows something about the source.
  var isResult: Bool {
    part == .end && record.trigger != .transfer && record.outcome.failure == nil
  }
}
