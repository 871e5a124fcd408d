package import FetchEngine
import FetchHost
package import FetchStore
package import FetchValues
import Synchronization

/// The web process's access to the store. All reads run on one thread, one at a time.
///
/// No transaction stays open between two reads, because a long transaction would prevent SQLite
/// from resetting the write-ahead log.
package final class WebStore: Sendable {
  /// The parts of the open store that a read may use.
  package struct View: Sendable {
    package let queries: StoreQueries
    package let reader: any ReadableStore
  }

  package let address: StoreAddress
  private let now: @Sendable () -> Timestamp
  private let view = Mutex<View?>(nil)
  /// The reason why the store could not be read for the last read that ended; nil if it could.
  private let lastFailure = Mutex<String?>(nil)
  /// The time at which the running read began; nil while no read runs.
  private let readBegunAt = Mutex<Timestamp?>(nil)
  private let gate = CallGate(runningMax: 1, waitingMax: waitingMax)

  private static let waitingMax = 64
  private static let executor = HostExecutor(threadsMax: 1)

  package init(_ address: StoreAddress, now: @escaping @Sendable () -> Timestamp) {
    self.address = address
    self.now = now
  }

  /// Creates the access to a store that is already open.
  package init(_ reader: any ReadableStore, now: @escaping @Sendable () -> Timestamp) {
    address = reader.address
    self.now = now
    view.withLock { $0 = View(queries: StoreQueries(reader, now: now), reader: reader) }
  }

  /// Runs a read of the store and returns its result. Each read must be short, because all other
  /// reads wait for it. Throws `busy` if too many reads wait. Also throws if the store cannot be
  /// opened, or if the read fails.
  package func read<Result: Sendable>(
    _ body: @Sendable (View) async throws(StoreError) -> Result
  ) async throws(WebProblem) -> Result {
    try await gate.run("the store") { () async throws(WebProblem) in try await perform(body) }
  }

  /// The time after which a read counts as stuck, for example on a disk that does not answer. It
  /// exceeds the limit of the statements of PostgreSQL.
  static let readMax: Duration = .seconds(30)

  /// Returns the reason why the store cannot be read; nil if it can be read. While another read
  /// runs, the last read that ended decides, so the answer does not wait for other reads. A read
  /// that runs for longer than `readMax` is such a reason.
  func failure() async -> String? {
    let sequence = try? await gate.runIfFree { () async throws(WebProblem) in
      try await perform { view throws(StoreError) in try await view.reader.lastSequence() }
    }
    if sequence == nil, let begun = readBegunAt.withLock({ $0 }), now() - begun > Self.readMax {
      return "a read has not ended for \((now() - begun).shortText)"
    }
    return lastFailure.withLock { $0 }
  }

  private func perform<Result: Sendable>(
    _ body: @Sendable (View) async throws(StoreError) -> Result
  ) async throws(WebProblem) -> Result {
    readBegunAt.withLock { $0 = now() }
    let outcome = await withTaskExecutorPreference(Self.executor) {
      await Self.outcome(body, self)
    }
    readBegunAt.withLock { $0 = nil }
    return try outcome.get()
  }

  private static func outcome<Result: Sendable>(
    _ body: @Sendable (View) async throws(StoreError) -> Result, _ store: WebStore
  ) async -> Swift.Result<Result, WebProblem> {
    do throws(StoreError) {
      let result = try await body(try await store.opened())
      store.lastFailure.withLock { $0 = nil }
      return .success(result)
    } catch {
      store.lastFailure.withLock { $0 = error.code == .unknownJob ? nil : error.message }
      if [.replaced, .closed, .missing, .unreachable].contains(error.code) {
        store.view.withLock { $0 = nil }
      }
      return .failure(error.webProblem)
    }
  }

  private func opened() async throws(StoreError) -> View {
    if let view = view.withLock({ $0 }) { return view }
    let reader = try await StoreOpener.read(address)
    let view = View(queries: StoreQueries(reader, now: now), reader: reader)
    self.view.withLock { $0 = view }
    return view
  }
}

extension StoreError {
  var webProblem: WebProblem {
    switch code {
    case .unknownJob: WebProblem(.unknownJob, 404, message)
    default: WebProblem(.noStore, 503, message)
    }
  }
}
