import FetchValues
import LuaVM
import Testing

/// Tests of trusted code that the first run compiles.
@Suite struct DeferredChunkTests {
  private static let source = "local a = ... return { got = a, twice = a * 2 }"

  /// Returns the result of a run of the chunk with the argument 21; nil if the run does not finish.
  private static func result(of chunks: LuaChunks) -> Value? {
    guard let run = LuaRun(limits: TestRun.limits, chunks: chunks, seed: 7) else { return nil }
    let arguments = Value.array([21]).encoded
    var step = arguments.withUnsafeBytes { run.start(main: "late", arguments: $0) }
    while step == .preempted { step = run.proceed() }
    return step == .finished ? try? Value(encoded: Array(run.output)) : nil
  }

  @Test func `runs on several threads share code that none has compiled yet`() async throws {
    _ = try TestRun("")  // prepares Lua
    for _ in 0..<50 {
      let late = try #require(LuaChunk.deferred(name: "late", source: Self.source))
      let chunks = LuaChunks(trusted: [late], own: [])
      let results = await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { Self.result(of: chunks) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results == Array(repeating: ["got": 21, "twice": 42], count: 8))
    }
  }

  @Test func `code that no run needs is never compiled`() throws {
    _ = try TestRun("")
    let late = try #require(LuaChunk.deferred(name: "late", source: Self.source))
    let wrong = try #require(LuaChunk.deferred(name: "wrong", source: "this is no Lua"))
    #expect(
      Self.result(of: LuaChunks(trusted: [wrong, late], own: [])) == ["got": 21, "twice": 42])
  }

  @Test func `code that cannot be compiled ends the run`() throws {
    _ = try TestRun("")
    let wrong = try #require(LuaChunk.deferred(name: "late", source: "this is no Lua"))
    let chunks = LuaChunks(trusted: [wrong], own: [])
    let run = try #require(LuaRun(limits: TestRun.limits, chunks: chunks, seed: 7))
    let step = Value.array([]).encoded.withUnsafeBytes { run.start(main: "late", arguments: $0) }
    #expect(step == .killed(.memory))
  }
}
