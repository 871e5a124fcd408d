import Dispatch
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The gathering of calls, so that one transaction or one read serves many runs. In a call with 16
/// commits, each needs about a quarter of a single commit's CPU time on the server. With 64
/// commits, each needs a tenth.
///
/// A commit waits for others only while other runs are under way. A single run never waits.
extension PostgresStore {
  /// Stores a commit together with the other commits that wait.
  func store(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt {
    let byteCount = PendingCommit.byteCount(of: commit)
    let result: Result<CommitReceipt, StoreError> = await withCheckedContinuation { continuation in
      let pending = PendingCommit(commit: commit, byteCount: byteCount) {
        continuation.resume(returning: $0)
      }
      commits.withLock { commits in
        commits.waiting.append(pending)
        commits.endsWithin(PendingCommits.waitMax(of: commit))
      }
      considerCommits()
    }
    return try result.get()
  }

  /// Queues the storing of the waiting commits if enough commits wait. Otherwise sets a timer for
  /// the storing, unless such a timer is set. Does nothing while commits are being stored.
  func considerCommits() {
    let running = openRuns.count
    let next = commits.withLock { commits -> (isNow: Bool, DispatchTime)? in
      guard !commits.isDraining, !commits.waiting.isEmpty, let end = commits.end else { return nil }
      if commits.waiting.count >= min(PendingCommits.batchMax, running) {
        commits.isDraining = true
        return (true, end)
      }
      if commits.timer == end { return nil }
      commits.timer = end
      return (false, end)
    }
    guard let next else { return }
    if next.isNow { return queue.async { self.drainCommits() } }
    queue.asyncAfter(deadline: next.1) {
      let mustStart = self.commits.withLock { commits in
        guard !commits.isDraining, commits.timer == next.1 else { return false }
        commits.isDraining = true
        return true
      }
      if mustStart { self.drainCommits() }
    }
  }

  /// Stores one batch of the waiting commits. If commits are left, queues the next batch after the
  /// calls that are already in `queue`.
  func drainCommits() {
    let batch = commits.withLock { $0.next() }
    store(batch)
    let isMore = commits.withLock { commits in
      commits.isDraining = !commits.waiting.isEmpty
      return commits.isDraining
    }
    if isMore { queue.async { self.drainCommits() } }
  }

  private func store(_ batch: [PendingCommit]) {
    if batch.isEmpty { return }
    do throws(StoreError) {
      // These runs ended before those of the batch.
      endRows(openRuns.takeUnended())
      let byteCount = batch.reduce(0) { $0 + $1.byteCount }
      let receipts = try writer.store(batch.map(\.commit), byteCount: byteCount, openRuns)
      for (pending, receipt) in zip(batch, receipts) { pending.end(.success(receipt)) }
    } catch {
      // If one commit cannot be stored, the others are stored without it.
      let isAboutAll = !writer.wasRefused || error.code == .full || error.code == .readOnly
      if batch.count == 1 || isAboutAll {
        let refusal = writer.refusal.map { StoreError(ofCommit: $0, writer.server.shown) }
        for pending in batch { pending.end(.failure(refusal ?? error)) }
      } else {
        for pending in batch { store([pending]) }
      }
    }
  }

  /// Ends the rows of the runs whose end the store did not accept earlier.
  private func endRows(_ runs: [OpenRuns.Unended]) {
    if runs.isEmpty { return }
    do throws(StoreError) { try writer.end(runs.map(\.record)) } catch {
      if writer.refusal?.mayBeAboutData != true { return openRuns.remember(runs) }
      // A record that can never be stored does not hold back the others.
      if runs.count > 1 { for run in runs { endRows([run]) } }
    }
  }

  // MARK: Opening

  /// Reads the snapshot of a job together with those of the other jobs that are being opened.
  func snapshot(of name: JobName, plugin: String?) async throws(StoreError) -> JobSnapshot {
    let result: Result<JobSnapshot, StoreError> = await withCheckedContinuation { continuation in
      let mustStart = opens.withLock {
        $0.add(OpenedJob(name: name, plugin: plugin)) { continuation.resume(returning: $0) }
      }
      if mustStart { queue.async { self.drainOpens() } }
    }
    return try result.get()
  }

  private func drainOpens() {
    let batch = opens.withLock { $0.takeAll() }
    do throws(StoreError) {
      let snapshots = try writer.read { connection in
        try writer.snapshots(of: batch.map(\.element), connection)
      }
      for (call, snapshot) in zip(batch, snapshots) {
        let damage = StoreError(damagedStateOf: call.element.name)
        call.end(snapshot.map { .success($0) } ?? .failure(damage))
      }
    } catch {
      for call in batch { call.end(.failure(error)) }
    }
  }

  // MARK: Beginning

  /// Stores the record of a run that begins, together with those of the other runs that begin
  /// meanwhile.
  func noteBeginning(of record: RunRecord) async throws(StoreError) {
    let result: Result<Void, StoreError> = await withCheckedContinuation { continuation in
      let mustStart = notes.withLock {
        $0.add(record) { continuation.resume(returning: $0) }
      }
      if mustStart { queue.async { self.note(self.notes.withLock { $0.takeAll() }) } }
    }
    try result.get()
  }

  private func note(_ batch: [PendingCalls<RunRecord, Void>.Call]) {
    do throws(StoreError) {
      try noteOnQueue(batch.map(\.element))
      for call in batch { call.end(.success(())) }
    } catch {
      // If one record cannot be stored, the others are stored without it.
      if batch.count > 1, writer.refusal?.mayBeAboutData == true {
        for call in batch { note([call]) }
      } else {
        let refusal = writer.refusal.map { StoreError(ofCommit: $0, writer.server.shown) }
        for call in batch { call.end(.failure(refusal ?? error)) }
      }
    }
  }

  /// Stores the records of active runs that have stored nothing yet. Call this function on the
  /// writer's queue.
  func noteOnQueue(_ records: [RunRecord]) throws(StoreError) {
    let unwritten = records.filter { openRuns.isUnwritten($0.run, of: $0.job) }
    for record in unwritten { openRuns.setRow(1, of: record.run, of: record.job) }
    try writer.note(unwritten)
  }
}

/// Calls of one kind that wait to be executed together.
struct PendingCalls<Element: Sendable, Value: Sendable>: Sendable {
  struct Call: Sendable {
    var element: Element
    var end: @Sendable (Result<Value, StoreError>) -> Void
  }

  private var waiting: [Call] = []
  private var isDraining = false

  /// Adds a call. Returns true if the caller must arrange a call of `takeAll`.
  mutating func add(
    _ element: Element, end: @escaping @Sendable (Result<Value, StoreError>) -> Void
  ) -> Bool {
    waiting.append(Call(element: element, end: end))
    defer { isDraining = true }
    return !isDraining
  }

  mutating func takeAll() -> [Call] {
    isDraining = false
    defer { waiting = [] }
    return waiting
  }
}
