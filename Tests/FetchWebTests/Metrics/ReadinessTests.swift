import FetchEngine
import FetchStore
import FetchTestSupport
import Testing

@testable import FetchWeb

/// Tests of `/readyz` while other requests are slow.
@Suite(.timeLimit(.minutes(5))) struct ReadinessTests {
  /// A daemon whose watches last, and which answers all other requests at once.
  private let daemon = ScriptedDaemon()

  private func site() throws -> TestSite {
    let daemon = daemon
    return try TestSite(daemon: { (request, line) async throws(ControlError) in
      if case .overview = request { line(MetricsSample.overview.value) }
      return try await daemon.send(request, line)
    })
  }

  @Test func `an answer does not wait for slow requests to the daemon`() async throws {
    let site = try site()
    let control = site.site.context.control
    let slowCount = 4
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<slowCount { group.addTask { _ = try? await control.lines(.watch) } }
      while daemon.openWatchCount < slowCount { await Task.yield() }
      let answer = await site.answer("GET", "/readyz")
      #expect(answer.status == 200, "\(answer.text)")
      #expect(daemon.openWatchCount == slowCount, "the slow requests still run")
      daemon.stop()
    }
  }

  @Test func `an answer does not wait for reads, and a busy store counts as readable`()
    async throws
  {
    let site = try site()
    await Self.whileReading(site.site.context.store) {
      let answer = await site.answer("GET", "/readyz")
      #expect(answer.status == 200, "\(answer.text)")
    }
  }

  @Test func `a store whose read does not end counts as unreadable`() async throws {
    let site = try site()
    await Self.whileReading(site.site.context.store) {
      site.advance(WebStore.readMax + .seconds(1))
      let answer = await site.answer("GET", "/readyz")
      #expect(answer.status == 503 && answer.text == "the store cannot be read\n")
    }
    #expect(await site.answer("GET", "/readyz").status == 200)
  }

  @Test func `a busy store that could not be read last counts as unreadable`() async throws {
    let site = try site()
    let store = site.site.context.store
    await #expect(throws: WebProblem.self) {
      try await store.read { (_: WebStore.View) async throws(StoreError) -> Void in
        throw StoreError(.locked, "the server is too busy")
      }
    }
    await Self.whileReading(store) {
      let answer = await site.answer("GET", "/readyz")
      #expect(answer.status == 503 && answer.text == "the store cannot be read\n")
    }
    #expect(await site.answer("GET", "/readyz").status == 200)
  }

  /// Calls `body` while a read of the store runs.
  private static func whileReading(_ store: WebStore, _ body: () async -> Void) async {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        _ = try? await store.read { (_: WebStore.View) async throws(StoreError) -> Void in
          begin.finish()
          for await _ in released {}
        }
      }
      for await _ in begun {}
      await body()
      release.finish()
    }
  }
}
