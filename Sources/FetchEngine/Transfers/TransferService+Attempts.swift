import FetchHost
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues
import Glibc

extension TransferService {
  /// The cost that the budgets must allow before a transfer begins. A full budget is enough even if
  /// its maximum is lower.
  static let startCost = RunCost(requests: 1, bytes: 1e6)

  func beginAll() async {
    let now = now()
    while let id = withState({ state in
      isDraining || state.readAgainAt != nil ? nil : state.queue.next(surroundings(state, now))
    }) {
      await begin(id)
    }
  }

  private func begin(_ id: Int64) async {
    let (record, admitted): (TransferRecord, Job?)
    do throws(StoreError) {
      guard let found = try await recordToBegin(id) else {
        return withState { $0.queue.remove(id) }
      }
      (record, admitted) = (found, try await admittedJob(of: found))
    } catch {
      return refused(id, error)
    }
    guard let job = admitted else {
      if case .gone = setup.standing(record.job) {
        return await apply(.refused(goneFailure(record.job)), to: id)
      }
      return settle(id, stored: record)
    }
    if let refusal = TransferCall.refusal(of: record.request, job.grant) {
      return await apply(.refused(refusal), to: id)
    }
    // The attempt starts while the state is locked, so that the attempt cannot end before it is
    // registered.
    withState { state in
      // Since the record was read, an event may have put the transfer back into the queue, where it
      // waits for its turn again.
      guard state.queue.isRunning(id), state.attempts[id] == nil else { return }
      // The transfer may have been cancelled or dropped, too.
      let isForgotten = state.machines[id] == nil && state.forgotten.contains(id)
      if isForgotten || state.eventCounts[id] != nil { return state.queue.remove(id) }
      let task = Task(executorPreference: HostExecutor.shared) { [self] in await carry(id, job) }
      state.attempts[id] = task
      state.startStoreTimes[id] = now() + Self.storedAfter
      state.machines[id] = state.machines[id] ?? TransferMachine(record)
      if isDraining { task.cancel() }
    }
  }

  /// Returns the job of a transfer with its present grant; nil if the transfer must wait.
  private func admittedJob(of record: TransferRecord) async throws(StoreError) -> Job? {
    guard case .ready(let known) = setup.standing(record.job) else { return nil }
    let services = setup.pipeline.services
    return try await services.grants.admitted(known, now: services.time.now())
  }

  private func carry(_ id: Int64, _ job: Job) async {
    await attempt(id, job)
    while let dropped = end(id) { await discard(id, of: dropped) }
    poke()
  }

  /// Removes an ended attempt and updates the queue, in one step. Between two separate steps, the
  /// loop could find nothing to wait for. If the transfer was dropped, only returns its job. The
  /// caller then removes the partial file and calls `end` again.
  private func end(_ id: Int64) -> JobName? {
    withState { state in
      if let dropped = state.dropped.removeValue(forKey: id) { return dropped }
      state.attempts[id] = nil
      state.startStoreTimes[id] = nil
      state.startStores[id] = nil
      state.received[id] = nil
      // The transfer was forgotten, and the store was read again after that. The read skipped the
      // transfer because its attempt was under way, so the store must be read once more.
      if state.machines[id] == nil, !state.forgotten.contains(id) { state.isStale = true }
      Self.settle(id, &state)
      return nil
    }
  }

  private func attempt(_ id: Int64, _ job: Job) async {
    await apply(.start, to: id)
    guard let record = withState({ $0.machines[id]?.record }), record.state == .running else {
      return
    }
    let session = session(job)
    let end = await TransferAttempt(attemptSetup(record, job, session)).run()
    await leaveStart(of: id)
    note(session, of: record.job)
    switch end {
    case .finished(let download, let sha256):
      await apply(.finished(download, sha256: sha256), to: id)
    case .failed(let failure): await apply(.failed(failure), to: id)
    case .stopped:
      let isOurs = Task.isCancelled
      let until =
        isOurs ? nil : setup.gate.opening(for: Self.startCost, of: record.job, now: now())
      await apply(.stopped(until: until), to: id)
    }
  }

  /// The time after which the start of an attempt is stored. A file that arrives sooner needs no
  /// additional commit.
  private static let storedAfter: Duration = .seconds(1)

  /// Begins to store the starts of the attempts that have lasted for `storedAfter`.
  func storeStarts() {
    let now = now()
    withState { state in
      for (id, time) in state.startStoreTimes where time <= now {
        state.startStoreTimes[id] = nil
        state.startStores[id] = Task(executorPreference: HostExecutor.shared) { [self] in
          await apply(.lasted, to: id)
        }
      }
    }
  }

  /// Makes sure that the start of an ended attempt is not stored after its end.
  private func leaveStart(of id: Int64) async {
    let store = withState { state in
      state.startStoreTimes[id] = nil
      return state.startStores.removeValue(forKey: id)
    }
    await store?.value
  }

  private func session(_ job: Job) -> HTTPSession {
    var policy = setup.pipeline.services.settings.policy
    policy.lowSpeed.period = max(policy.lowSpeed.period, Self.stallPeriod)
    return HTTPSession(
      transport: setup.engine, grant: job.grant, policy: policy, validators: [:],
      deadline: .now + TransferAttempt.timeMax, limits: job.limits,
      secrets: job.secrets(setup.pipeline.services.secrets), clock: setup.clock,
      now: setup.pipeline.services.time.now)
  }

  /// The minimum value of the policy's `lowSpeed.period` for transfers.
  private static let stallPeriod: Duration = .seconds(60)

  private func attemptSetup(
    _ record: TransferRecord, _ job: Job, _ session: HTTPSession
  ) -> TransferAttempt.Setup {
    let (id, files, boot) = (record.id, setup.pipeline.services.files, SystemBoot.id)
    let isCopy = Self.hostname(of: record).isEmpty
    withState { $0.received[id] = record.download.offset }
    return TransferAttempt.Setup(
      record: record, root: { () throws(FileFault) in try self.sweptRoot(of: job, files) },
      session: session, threads: files.threads, readPaths: job.grant.readPaths, boot: boot,
      now: setup.pipeline.services.time.now,
      admit: { [self] count in
        withState { $0.received[id, default: 0] += Int64(count) }
        if !isCopy { setup.metrics.received(transferBytes: count) }
        return isCopy
          || setup.gate.charge(RunCost(bytes: Double(count)), to: record.job, now: now())
      },
      keep: { [self] download in await apply(.received(download, boot: boot), to: id) },
      arrived: { [self] in
        withState { $0.queue.arrived(id) }
        poke()
      })
  }

  /// Passes the cooldowns of the session to the gate, and charges the session's requests.
  private func note(_ session: HTTPSession, of job: JobName) {
    let now = now()
    for note in session.retryAfters {
      setup.gate.close(note.hostname, until: note.until, now: now)
    }
    if session.requestCount > 0 {
      _ = setup.gate.charge(
        RunCost(requests: Double(session.requestCount)), to: job, now: now)
    }
  }

  /// Returns the folder of a job. The first successful call for a job also removes the partial
  /// files that belong to no pending transfer.
  private func sweptRoot(of job: Job, _ files: JobFolders) throws(FileFault) -> FileRoot {
    let root = try files.root(of: job)
    let needed = withState { state -> Set<Int64>? in
      guard state.swept.insert(job.name).inserted else { return nil }
      return Set(state.queue.ids)
    }
    guard let needed else { return root }
    do throws(FileFault) { try root.removePartials(except: needed) } catch {
      withState { _ = $0.swept.remove(job.name) }
      throw error
    }
    return root
  }
}
