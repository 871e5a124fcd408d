import FetchModel
import FetchValues
import FetchWire

extension WorkerSupervisor {
  func handle(_ event: Poller.Event) {
    guard let worker = workers[event.id] else { return }
    if event.isWritable { flush(worker) }
    guard event.isReadable, workers[event.id] != nil else { return }
    do {
      for _ in 0..<Self.readsPerTurnMax where workers[event.id] != nil {
        let intake = try worker.reader.fill(from: worker.descriptor)
        try takeFrames(worker)
        if intake == .drained { return }
      }
    } catch { lose(worker) }
  }

  /// The maximum number of reads from one worker in one pass of the thread's loop. A worker that
  /// sends without a pause thus cannot block other workers.
  private static let readsPerTurnMax = 16

  private func takeFrames(_ worker: WorkerProcess) throws(WireError) {
    worker.heard(now)
    while workers[worker.id] != nil, let frame = try worker.reader.next() {
      worker.account.add(bytes: frame.payload.count)
      try take(try WorkerMessage.decode(frame), run: frame.run, worker)
    }
  }

  private func take(
    _ message: WorkerMessage, run id: UInt32, _ worker: WorkerProcess
  ) throws(WireError) {
    switch message {
    case .hello(let version, let report): try greet(worker, version, report)
    case .loaded(let manifest): try loaded(worker, manifest)
    case .loadFailed(let failure): try loadFailed(worker, failure)
    case .pong: try worker.takePong()
    case .request(let name, let arguments):
      let run = try runThatSpeaks(id, worker)
      if case .executing = run.phase { try request(name, arguments, of: run, worker) }
    case .items(let items): try take(items, of: try runThatSpeaks(id, worker))
    case .log(let line): take(line, of: try runThatSpeaks(id, worker))
    case .hints(let hints): try take(hints, of: try runThatSpeaks(id, worker))
    case .links(let links): try take(links, of: try runThatSpeaks(id, worker))
    case .whole: try takeWhole(of: try runThatSpeaks(id, worker))
    case .nothing: try takeNothing(of: try runThatSpeaks(id, worker))
    case .note(let note): try take(note, of: try runThatSpeaks(id, worker))
    case .finished(let state, let usage):
      let run = try runThatSpeaks(id, worker)
      try finished(run, state: state, held(usage, of: run, worker))
    case .failed(let failure, let usage):
      let run = try runThatSpeaks(id, worker)
      let usage = held(usage, of: run, worker)
      if case .ending(let own) = run.phase {
        finish(run, .failure(own), usage)
      } else {
        finish(run, .failure(failure), usage)
      }
    }
  }

  /// The maximum error of the kernel's count of a process's CPU time since the start of a run. Each
  /// of the two readings may be late by one tick at 100 Hz.
  private static let countErrorNanoseconds: UInt64 = 20_000_000

  /// Limits the usage that the worker reports for a run. The run cannot have used more CPU time
  /// than the kernel has counted for the process since the run began. As a worker has one thread,
  /// the run's CPU time cannot exceed the elapsed time either.
  ///
  /// If the process had no other run, the run used nearly all CPU time that the kernel has counted.
  func held(_ usage: RunUsage, of run: ActiveRun, _ worker: WorkerProcess) -> RunUsage {
    let time = Monotonic.now()
    var most = time - min(time, run.attempt.startedAt)
    var isAlone = false
    if let cpu = ProcessProbe.cpu(worker.process) {
      most = min(most, cpu - min(cpu, run.attempt.workerCPUAtStart) + Self.countErrorNanoseconds)
      isAlone = run.attempt.isAlone
    }
    return usage.held(
      cpu: .nanoseconds(Int64(clamping: most)), by: run.run.limits, isAlone: isAlone)
  }

  /// Returns the run that sent a frame; throws if the run is unknown, or is neither executing nor
  /// ending.
  private func runThatSpeaks(
    _ id: UInt32, _ worker: WorkerProcess
  ) throws(WireError) -> ActiveRun {
    guard let run = worker.runs[id] else { throw .unexpected("a frame for an unknown run") }
    switch run.phase {
    case .executing, .ending: return run
    case .queued, .placed, .waiting: throw .unexpected("a frame for a run that is not executing")
    }
  }

  private func greet(
    _ worker: WorkerProcess, _ version: Int, _ report: IsolationReport
  ) throws(WireError) {
    guard worker.phase == .starting else { throw .unexpected("a second greeting") }
    worker.isolation = report
    let problem: Failure? =
      if version != WireLimits.protocolVersion {
        Failure(
          .workerUnavailable,
          "the worker program is from another version of fetchrun; install fetchrun and its worker "
            + "program from the same build")
      } else if lockdown == .require, !report.isConfined {
        Confinement.refusal(report)
      } else {
        nil
      }
    if let problem { return refuse(worker, problem) }
    worker.phase = .loading
    try worker.writer.load(worker.plugin)
    queueFlush(worker)
  }

  private func loaded(
    _ worker: WorkerProcess, _ encoded: UnsafeRawBufferPointer
  ) throws(WireError) {
    guard worker.phase == .loading else {
      throw .unexpected("a manifest while no plugin was loading")
    }
    var weight = ValueWeight(bytesMax: RunLimits.manifestWeightMax)
    do { try weight.add(encoded) } catch { throw .invalidValue(error) }
    guard !weight.isExceeded else { throw .unexpected("a manifest that takes too much memory") }
    let manifest = Array(encoded)
    worker.phase = .ready
    worker.manifest = manifest
    worker.idleSince = now
    worker.account.begin(cpu: ProcessProbe.cpu(worker.process) ?? 0)
    noteRest(worker)
    wake(at: now + configuration.idleTimeout.nanoseconds)
    for inspection in worker.inspections { inspection.deliver(.success(manifest)) }
    worker.inspections = []
    for run in worker.runs.values.sorted(by: { $0.wireID < $1.wireID }) { start(run, in: worker) }
  }

  private func loadFailed(_ worker: WorkerProcess, _ failure: Failure) throws(WireError) {
    guard worker.phase == .loading else {
      throw .unexpected("a load failure while no plugin was loading")
    }
    refuse(worker, failure)
  }

  /// Delivers the failure to all runs and inspections of this worker, and ends the worker.
  func refuse(_ worker: WorkerProcess, _ failure: Failure) {
    worker.isRetiring = true
    for inspection in worker.inspections { inspection.deliver(.failure(failure)) }
    worker.inspections = []
    for run in worker.runs.values { finish(run, .failure(failure), RunUsage()) }
    if workers[worker.id] != nil { retire(worker) }
  }

  func start(_ run: ActiveRun, in worker: WorkerProcess) {
    var limits = run.run.limits
    run.waitedBefore = run.run.waits?.total ?? .zero
    limits.window = max(.zero, limits.window - run.run.elapsed + run.waitedBefore)
    run.attempt = ActiveRun.Attempt(limits: run.run.limits)
    run.attempt.startedAt = now
    run.attempt.workerCPUAtStart = ProcessProbe.cpu(worker.process) ?? 0
    run.attempt.isAlone = worker.runs.count == 1
    worker.account.add(run.run.limits)
    worker.account.add(bytes: run.arguments.count)
    run.journal.rewind()
    run.phase = .executing
    run.run.waits?.setWaitsForWorker(false)
    run.deadline = now + limits.window.nanoseconds
    worker.startedCount += 1
    wake(at: run.deadline)
    watch()
    let problem: WireError? = run.arguments.withUnsafeBytes { bytes in
      let message = StartMessage(
        entry: run.run.entry, limits: limits, seed: run.run.seed, arguments: bytes)
      do throws(WireError) {
        try worker.writer.start(message, run: run.wireID)
        return nil
      } catch { return error }
    }
    queueFlush(worker)
    guard problem != nil else { return }
    run.phase = .placed
    let tooLarge = Failure(
      .resultLimit, "the run's input, such as its options and state, is too large")
    finish(run, .failure(tooLarge), RunUsage())
  }

  private func take(
    _ items: UnsafeRawBufferPointer, of run: ActiveRun
  ) throws(WireError) {
    guard !items.isEmpty else { throw .unexpected("a frame without items") }
    guard case .executing = run.phase else { return }
    guard items.count <= run.run.limits.resultBytes - run.attempt.itemBytes else {
      return end(run, .limit(.resultLimit, run.run.limits))
    }
    do { try run.attempt.add(items) } catch { throw .invalidValue(error) }
    if run.attempt.weight.isExceeded { end(run, .weightLimit(run.run.limits)) }
  }

  private func take(_ hints: FeedHints, of run: ActiveRun) throws(WireError) {
    guard run.attempt.feedHints == nil else {
      throw .unexpected("a second frame with feed hints")
    }
    run.attempt.feedHints = hints
  }

  private func take(_ links: HubLinks, of run: ActiveRun) throws(WireError) {
    guard run.attempt.hubLinks == nil else { throw .unexpected("a second frame with hub links") }
    run.attempt.hubLinks = links
  }

  private func takeWhole(of run: ActiveRun) throws(WireError) {
    guard !run.attempt.isWhole else {
      throw .unexpected("a second report that the result is complete")
    }
    run.attempt.isWhole = true
  }

  private func takeNothing(of run: ActiveRun) throws(WireError) {
    guard !run.attempt.returnedNothing else {
      throw .unexpected("a second report that the function returned nothing")
    }
    run.attempt.returnedNothing = true
  }

  private func take(_ note: String, of run: ActiveRun) throws(WireError) {
    guard run.attempt.note == nil else { throw .unexpected("a second note") }
    guard note.utf8.count <= WireLimits.noteBytesMax else { throw .unexpected("a long note") }
    run.attempt.note = note
  }

  private func take(_ line: LogLine, of run: ActiveRun) {
    guard case .executing = run.phase else { return }
    // Counts one additional byte for each line, because an empty line needs memory, too.
    run.attempt.logBytes += line.message.utf8.count + 1
    guard run.attempt.logBytes <= run.run.limits.logBytes else {
      return end(run, .limit(.logLimit, run.run.limits))
    }
    run.attempt.logs.append(line)
  }

  private func finished(
    _ run: ActiveRun, state: UnsafeRawBufferPointer?, _ usage: RunUsage
  ) throws(WireError) {
    if case .ending(let failure) = run.phase { return finish(run, .failure(failure), usage) }
    let limits = run.run.limits
    guard run.attempt.itemBytes + (state?.count ?? 0) <= limits.resultBytes else {
      return finish(run, .failure(.limit(.resultLimit, limits)), usage)
    }
    var weight = run.attempt.weight
    if let state { do { try weight.add(state) } catch { throw .invalidValue(error) } }
    guard !weight.isExceeded else { return finish(run, .failure(.weightLimit(limits)), usage) }
    let stateWeight = weight.bytes - run.attempt.weight.bytes
    let (items, itemWeight) = run.attempt.takeItems()
    var products = RawProducts(items: items, state: state.map { Array($0) })
    products.weight = itemWeight + stateWeight
    products.feedHints = run.attempt.feedHints ?? FeedHints()
    products.hubLinks = run.attempt.hubLinks
    products.isWhole = run.attempt.isWhole
    products.returnedNothing = run.attempt.returnedNothing
    products.note = run.attempt.note
    finish(run, .success(products), usage)
  }

  /// Removes a run from its worker and from the table of runs, and delivers its result.
  func finish(_ run: ActiveRun, _ result: Result<RawProducts, Failure>, _ usage: RunUsage) {
    runs[run.id] = nil
    let worker = run.worker
    worker?.drop(run)
    run.end(result, usage: usage)
    guard let worker else { return }
    if case .failure(let failure) = result, Self.isRetiredAfter(failure.code) {
      worker.isRetiring = true
    }
    if worker.isDedicated || worker.startedCount >= configuration.runsBeforeRetirement {
      worker.isRetiring = true
    }
    guard workers[worker.id] != nil else { return }
    noteRest(worker)
    guard worker.runs.isEmpty else { return }
    if worker.isRetiring {
      if worker.inspections.isEmpty { retire(worker) }
    } else {
      worker.idleSince = now
      wake(at: now + configuration.idleTimeout.nanoseconds)
    }
  }

  /// Whether the process may be in a bad state after a run was stopped with the given failure code.
  private static func isRetiredAfter(_ code: FailureCode) -> Bool {
    code == .cpuLimit || code == .memoryLimit || code == .timeLimit
  }
}
