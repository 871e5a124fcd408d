import FetchHost
import FetchModel
import FetchValues
import FetchWire
import Testing

/// Tests that the host checks everything that a worker process sends.
struct HostileWorkerTests {
  private static let kind = WorkerMessage.Kind.self

  /// Returns the frame that reports a run's end, with the given CPU time.
  private static func finished(
    _ nanoseconds: Int64, memory: Int64 = 1, slices: Int64 = 1
  ) -> [UInt8] {
    var writer = ValueWriter()
    writer.write(nanoseconds)
    writer.write(memory)
    writer.write(0)
    writer.write(slices)
    return writer.bytes
  }

  private static func failed(message: String, frames: [String], nanoseconds: Int64 = 1) -> [UInt8] {
    var writer = ValueWriter()
    writer.write(FailureCode.pluginError.rawValue)
    writer.write(message)
    writer.write(false)
    writer.write(String(repeating: "f", count: 3000))
    writer.write(7)
    writer.beginArray(count: frames.count)
    for frame in frames { writer.write(frame) }
    return writer.bytes + finished(nanoseconds)
  }

  private static func list(of count: Int) -> [UInt8] {
    var writer = ValueWriter()
    writer.beginArray(count: count)
    return writer.bytes + [UInt8](repeating: ValueTag.true, count: count)
  }

  private static func item(with list: [UInt8]) -> [UInt8] {
    var writer = ValueWriter()
    writer.beginObject(count: 1)
    writer.write("list")
    return writer.bytes + list
  }

  private func expectLost(
    _ end: WorkerRunEnd, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(end.failure?.code == .workerCrashed, comment, sourceLocation: sourceLocation)
    #expect(
      end.failure?.message.utf8.count ?? 0 < 1000, comment, sourceLocation: sourceLocation)
  }

  @Test(arguments: [Int64.max, .min, -1, 3_600_000_000_000])
  func `a worker's reported CPU time is limited to the kernel's count and never negative`(
    claim: Int64
  ) async throws {
    let began = ContinuousClock.now
    let end = try await HostileWorker { writer throws(WireError) in
      try writer.append(
        kind: Self.kind.finished.rawValue, run: 1,
        payload: Self.finished(claim, memory: claim, slices: claim))
    }.run()
    #expect(end.failure == nil)
    #expect(end.usage.cpu >= .zero)
    #expect(end.usage.cpu <= began.duration(to: .now))
    #expect((0...RunLimits().memoryBytes).contains(end.usage.memoryPeakBytes))
    #expect(end.usage.sliceCount >= 0)
    let failed = try await HostileWorker { writer throws(WireError) in
      try writer.append(
        kind: Self.kind.failed.rawValue, run: 1,
        payload: Self.failed(message: "no", frames: [], nanoseconds: claim))
    }.run()
    #expect(failed.failure?.message == "no")
    #expect(failed.usage.cpu >= .zero)
    #expect(failed.usage.cpu <= began.duration(to: .now))
  }

  @Test func `a failure's message, file and traceback are cut to their limits`() async throws {
    let end = try await HostileWorker { writer throws(WireError) in
      try writer.append(
        kind: Self.kind.failed.rawValue, run: 1,
        payload: Self.failed(
          message: String(repeating: "ä", count: 5000),
          frames: Array(repeating: String(repeating: "t", count: 1050), count: 45)))
    }.run()
    let failure = try #require(end.failure)
    #expect(failure.code == .pluginError)
    #expect(failure.message.utf8.count <= 4096)
    #expect(failure.message.hasSuffix("ää…"))
    #expect(failure.file?.utf8.count == 1024)
    #expect(failure.traceback.count == 45)
    #expect(failure.traceback.allSatisfy { $0.utf8.count <= 1024 })
  }

  @Test func `a failure beyond all limits ends the worker, and does not fill the host's memory`()
    async throws
  {
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        try writer.append(
          kind: Self.kind.failed.rawValue, run: 1,
          payload: Self.failed(message: String(repeating: "x", count: 40 << 20), frames: []))
      }.run())
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        try writer.append(
          kind: Self.kind.failed.rawValue, run: 1,
          payload: Self.failed(message: "x", frames: Array(repeating: "", count: 51)))
      }.run())
  }

  @Test func `each kind of frame is accepted only at its place and as often as allowed`()
    async throws
  {
    var hints = FeedHints()
    hints.ttl = .seconds(60)
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        for _ in 0..<2 { try writer.hints(hints, run: 1) }
      }.run(), "hints twice")
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        for _ in 0..<2 { try writer.whole(run: 1) }
      }.run(), "whole twice")
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        for _ in 0..<2 { try writer.nothing(run: 1) }
      }.run(), "nothing twice")
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        for _ in 0..<2 { try writer.note("x", run: 1) }
      }.run(), "a note twice")
    for count in [201, 300] {
      expectLost(
        try await HostileWorker { writer throws(WireError) in
          try writer.note(String(repeating: "x", count: count), run: 1)
        }.run(), "a long note")
    }
    expectLost(
      try await HostileWorker { writer throws(WireError) in try writer.items([], run: 1) }.run(),
      "no items")
    expectLost(
      try await HostileWorker { writer throws(WireError) in try writer.pong() }.run(),
      "a pong without a ping")
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        try writer.append(kind: Self.kind.whole.rawValue, run: 1, payload: [0])
      }.run(), "a long word")
    expectLost(
      try await HostileWorker { writer throws(WireError) in
        var request = ValueWriter()
        request.write(String(repeating: "n", count: 1 << 20))
        request.beginArray(count: 0)
        try writer.append(kind: Self.kind.request.rawValue, run: 1, payload: request.bytes)
      }.run(), "a long name")
  }

  @Test func `log lines are counted, even empty ones`() async throws {
    let end = try await HostileWorker { writer throws(WireError) in
      for _ in 0...RunLimits().logBytes { try writer.log(LogLine(.info, ""), run: 1) }
    }.run()
    #expect(end.failure?.code == .logLimit)
    #expect(end.logs.count <= RunLimits().logBytes)
  }

  @Test func `items that are small on the wire and large in memory end the run`() async throws {
    let end = try await HostileWorker { writer throws(WireError) in
      for _ in 0..<2 { try writer.items(Self.item(with: Self.list(of: 900_000)), run: 1) }
    }.run()
    #expect(
      end.failure
        == Failure(
          .resultLimit,
          "the run's items and state take more than 64 MiB of memory when they are read "
            + "(twice the limit resultBytes); return less data or raise the limit"))
    let state = try await HostileWorker { writer throws(WireError) in
      try writer.append(
        kind: Self.kind.finished.rawValue, run: 1,
        payload: Self.finished(1) + Self.list(of: 2_000_000))
    }.run()
    #expect(state.failure == end.failure)
  }

  @Test func `arguments that are small on the wire and large in memory end the run`() async throws {
    let end = try await HostileWorker { writer throws(WireError) in
      var request = ValueWriter()
      request.write("http.request")
      request.beginArray(count: 1)
      try writer.append(
        kind: Self.kind.request.rawValue, run: 1, payload: request.bytes + Self.list(of: 2_000_000))
    }.run()
    #expect(end.failure?.code == .resultLimit)
    #expect(
      end.failure?.message
        == "the arguments of a host call take more than 4 MiB of memory in addition to their "
        + "encoded size; pass fewer values")
  }

  @Test func `a manifest that is large in memory is not read`() async throws {
    let result = try await HostileWorker(manifest: Self.list(of: 2_000_000)) { _ in }.inspect()
    guard case .failure(let failure) = result else { throw Unexpected() }
    #expect(failure.code == .workerCrashed)
  }

  /// Limits with a window that does not end a test on a busy machine.
  private static var longLimits: RunLimits {
    var limits = RunLimits()
    limits.window = .seconds(600)
    return limits
  }

  @Test func `a worker that computes while it sends bytes exceeds the CPU limit`() async throws {
    var limits = Self.longLimits
    limits.cpu = .milliseconds(100)
    let end = try await HostileWorker(first: .dribbles) { _ in }.run(limits: limits)
    #expect(end.failure == Failure.limit(.cpuLimit, limits))
    #expect(end.usage.cpu > .seconds(1))
  }

  @Test func `a worker that computes while its run waits is ended`() async throws {
    let calls = RecordedCalls { _ in
      await Gate().wait(orCancelled: ())
      return .values([])
    }
    let end = try await HostileWorker(last: .computes) { writer throws(WireError) in
      var request = ValueWriter()
      request.write("http.request")
      request.beginArray(count: 0)
      try writer.append(kind: Self.kind.request.rawValue, run: 1, payload: request.bytes)
    }.run(limits: Self.longLimits, isolation: .perRun, calls: calls)
    #expect(end.failure?.code == .workerCrashed)
    // The run was repeated, and its call was not.
    #expect(calls.calls.count == 1)
    #expect(end.usage.cpu > .seconds(1))
  }

  @Test func `a worker that takes more memory than its runs can need is ended`() async throws {
    var limits = Self.longLimits
    limits.window = .seconds(60)
    limits.memoryBytes = 1 << 20
    let end = try await HostileWorker(first: .takesMemory) { _ in }
      .run(limits: limits, memoryBytesBase: 32 << 20)
    #expect(end.failure == Failure.limit(.memoryLimit, limits))
  }

  @Test func `a run that was alone in its worker used what the kernel counted`() async throws {
    let end = try await HostileWorker(first: .computesBriefly) { writer throws(WireError) in
      try writer.append(
        kind: Self.kind.finished.rawValue, run: 1, payload: Self.finished(0))
    }.run(limits: Self.longLimits)
    #expect(end.failure == nil)
    #expect(end.usage.cpu > .seconds(1))
  }
}
