package import FetchEngine
import FetchHost
package import FetchStore
package import FetchValues
import Synchronization

/// The store as the web process reads it: one reader on a thread of its own, one read at a time.
///
/// Nothing stays open between two reads: a long read would keep the store's log from being reset.
package final class WebStore: Sendable {
  /// The reads of one request.
  package struct View: Sendable {
    package let queries: StoreQueries
    package let reader: any ReadableStore
  }

  package let address: StoreAddress
  private let now: @Sendable () -> Timestamp
  private let view = Mutex<View?>(nil)
  private let gate = CallGate(runningMax: 1, waitingMax: waitingMax)

  private static let waitingMax = 64
  private static let executor = HostExecutor(threadsMax: 1)

  package init(_ address: StoreAddress, now: @escaping @Sendable () -> Timestamp) {
    self.address = address
    self.now = now
  }

  /// - Parameter reader: a store that is open already.
  package init(_ reader: any ReadableStore, now: @escaping @Sendable () -> Timestamp) {
    address = reader.address
    self.now = now
    view.withLock { $0 = View(queries: StoreQueries(reader, now: now), reader: reader) }
  }

  /// Reads the store. A read must be bounded: at most 1,000 rows, 8 MB.
  package func read<Result: Sendable>(
    _ body: @Sendable (View) async throws(StoreError) -> Result
  ) async throws(WebProblem) -> Result {
    try await gate.run("the store") { () async throws(WebProblem) in
      let outcome = await withTaskExecutorPreference(Self.executor) {
        await Self.outcome(body, self)
      }
      return try outcome.get()
    }
  }

  private static func outcome<Result: Sendable>(
    _ body: @Sendable (View) async throws(StoreError) -> Result, _ store: WebStore
  ) async -> Swift.Result<Result, WebProblem> {
    do throws(StoreError) {
      return .success(try await body(try await store.opened()))
    } catch {
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
