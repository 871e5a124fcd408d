import FetchEngine
import FetchModel
import FetchSchedule
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// A service with its transfers, from its start to its stop, like one process.
final class OpenTransfers: Sendable {
  let open: OpenService
  private let bench: ServiceBench
  private let reader: StoreReader
  private let task: Task<Void, Never>

  var service: JobService { open.service }
  var transfers: TransferService { open.service.transfers }

  init(bench: ServiceBench, open: OpenService) throws {
    self.bench = bench
    self.open = open
    reader = try StoreReader(at: bench.storePath)
    open.begin(until: .stopped)
    task = Task { await open.service.transfers.run(until: .stopped) }
  }

  /// The ended transfers, in the order of their ends.
  var ended: [TransferRecord] { open.recorder.transfers }
  /// The runs in which plugins were notified of transfers.
  var reports: [RunReport] { open.recorder.reports.filter { $0.record.trigger == .transfer } }

  func records() throws -> [TransferRecord] { try reader.transfers() }
  func record(_ id: Int64) throws -> TransferRecord {
    try #require(try reader.transfer(id))
  }

  func until(_ isSo: () throws -> Bool) async rethrows {
    while try !Task.isCancelled && !isSo() { await Task.yield() }
  }

  /// Runs the job now. Returns when the run has ended.
  @discardableResult
  func run(_ job: JobName = "a") async throws -> RunRecord {
    let count = open.records.count
    #expect(service.jobs.trigger(job, .manual, now: bench.now) == .due)
    service.loop.poke()
    await until { open.records.count > count }
    return try #require(open.records.last)
  }

  /// Waits until the transfer has reached a state, and returns the transfer's record.
  @discardableResult
  func until(_ id: Int64, _ state: TransferState) async throws -> TransferRecord {
    try await until { try record(id).state == state }
    let found = try record(id)
    #expect(found.state == state, "\(found)")
    return found
  }

  /// Moves the clock to the given time, at which a sleeping task must wake.
  func pass(to time: Timestamp) async {
    let offset = time - ServiceBench.startAt
    do { _ = try await bench.clock.waitForSleeper(notAfter: offset) } catch { Issue.record(error) }
    bench.clock.advance(by: offset - bench.clock.now.offset)
  }

  func ask(_ request: ControlRequest) async -> (ControlEnd, [Value]) {
    let lines = Lines()
    let end = await service.control(reload: { .done }).answer(request) { lines.append($0) }
    return (end, lines.all)
  }

  /// Interrupts transfers, waits until the active runs have ended, and closes the store.
  func stop() async throws {
    transfers.drain()
    await task.value
    try await open.stop()
  }

  /// Interrupts transfers, ends the notification runs, and closes the store.
  func cancel() async throws {
    task.cancel()
    await task.value
    try await open.stop()
  }
}
