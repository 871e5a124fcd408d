import DequeModule
import FetchModel
import FetchValues
import FetchWire

/// The handling of host calls, from the worker to the handler and back. If a run is repeated, a
/// call that it makes again is not executed again.
extension WorkerSupervisor {
  func request(
    _ name: String, _ arguments: UnsafeRawBufferPointer, of run: ActiveRun,
    _ worker: WorkerProcess
  ) throws(WireError) {
    run.attempt.hostCallCount += 1
    guard run.attempt.hostCallCount <= run.run.limits.hostCalls else {
      return end(run, .limit(.hostCallLimit, run.run.limits))
    }
    let weight: Int
    switch try weigh(name, arguments, of: run) {
    case .success(let bytes): weight = bytes
    case .failure(let failure): return end(run, failure)
    }
    var call = HostCall(name: name, arguments: Array(arguments))
    worker.executingCount -= 1
    if run.crashCount + run.exposureCount > 0, let index = run.journal.match(call) {
      if call.takesItems { _ = run.attempt.takeItems() }
      run.phase = .waiting(call: index)
      if let answer = run.journal[index] { reply(answer, to: run) } else { noteRest(worker) }
      return
    }
    let index = run.journal.add(call)
    call.weight = weight
    if call.takesItems { call.items = run.attempt.takeItems().items }
    run.phase = .waiting(call: index)
    noteRest(worker)
    // A call with large arguments or items is decoded on a separate thread, so that it does not
    // delay other runs.
    run.callTask = Task(executorPreference: call.isLarge ? HostExecutor.large : .shared) {
      [calls = run.calls, mailbox, id = run.id, call] in
      let answer = await calls.answer(call)
      mailbox.post(.answer(run: id, call: index, answer))
    }
  }

  /// Returns the memory in bytes that the call's arguments and items need when decoded. Returns a
  /// failure if they need too much memory.
  private func weigh(
    _ name: String, _ arguments: UnsafeRawBufferPointer, of run: ActiveRun
  ) throws(WireError) -> Result<Int, Failure> {
    let given = run.attempt.weight
    let takesItems = HostCall.takesItems(name)
    var weight =
      takesItems
      ? given : ValueWeight(bytesMax: arguments.count + RunLimits.argumentExcessBytesMax)
    do { try weight.add(arguments) } catch { throw .invalidValue(error) }
    if weight.isExceeded {
      return .failure(takesItems ? .weightLimit(run.run.limits) : .argumentLimit)
    }
    let items = takesItems ? run.attempt.itemWeight - given.bytes : 0
    return .success(weight.bytes + items)
  }

  func take(_ answer: HostCallAnswer, call index: Int, run id: UInt64) {
    guard let run = runs[id] else { return }
    run.journal.answer(index, answer)
    guard case .waiting(let wanted) = run.phase, wanted == index else { return }
    reply(answer, to: run)
  }

  /// The number of bytes buffered for a worker at which further answers are held back. One large
  /// buffer for all answers tripled the host's CPU time for 200 answers of 30 KB (measured).
  private static let writtenAheadBytes = 256 << 10

  private func reply(_ answer: HostCallAnswer, to run: ActiveRun) {
    guard let worker = run.worker else { return }
    // If the run is repeated, the journal has the answer.
    guard !isOveruse(by: worker) else { return lose(worker) }
    run.phase = .executing
    run.callTask = nil
    // The run's time window ends later if it was suspended during the call.
    wake(at: run.windowEnd)
    run.heldAnswer = answer
    worker.executingCount += 1
    worker.heldReplies.append(run)
    watch()
    queueFlush(worker)
  }

  /// Encodes held answers while the worker's output has room. Returns false if it has taken no
  /// answer from `heldReplies`.
  func releaseReplies(_ worker: WorkerProcess) -> Bool {
    var released = 0
    while released < worker.heldReplies.count,
      worker.writer.pendingBytes < Self.writtenAheadBytes
    {
      send(worker.heldReplies[released], worker)
      released += 1
    }
    worker.heldReplies.removeFirst(released)
    return released > 0
  }

  private func send(_ run: ActiveRun, _ worker: WorkerProcess) {
    guard run.worker === worker, case .executing = run.phase, let answer = run.heldAnswer else {
      return
    }
    run.heldAnswer = nil
    do {
      switch answer {
      case .returns(let values):
        worker.account.add(bytes: values.count)
        try worker.writer.reply(raised: false, values, run: run.wireID)
      case .raises(let message):
        try worker.writer.reply(raised: true, Array(message.utf8), run: run.wireID)
      }
    } catch { end(run, .frameLimit) }
  }

  /// Ends a run because of a decision of the host. A run that has not started in a worker ends
  /// immediately. Otherwise, the worker is notified and must release the run within
  /// `RunLimits.windowGrace`. Does nothing if the run is already ending.
  func end(_ run: ActiveRun, _ failure: Failure) {
    run.callTask?.cancel()
    run.callTask = nil
    guard let worker = run.worker else {
      queue.removeFirst { $0.isRun(run.id) }
      return finish(run, .failure(failure), RunUsage())
    }
    switch run.phase {
    case .queued, .ending: return
    case .placed: return finish(run, .failure(failure), RunUsage())
    case .waiting: worker.executingCount += 1
    case .executing: break
    }
    run.phase = .ending(failure)
    run.heldAnswer = nil
    run.deadline = now + RunLimits.windowGrace.nanoseconds
    wake(at: run.deadline)
    watch()
    do {
      try worker.writer.cancel(failure.code, failure.message, run: run.wireID)
      queueFlush(worker)
    } catch { lose(worker) }
  }
}
