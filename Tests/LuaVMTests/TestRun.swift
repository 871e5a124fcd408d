import FetchValues
import LuaVM

/// A run of Lua source text. Its library functions and notices are visible to tests.
final class TestRun {
  /// The trusted code of each run, through which a plugin calls the host.
  static let prelude = """
    local arguments = ...
    local modules = {
      json = { null = fetchrun.null, array = fetchrun.array },
      test = fetchrun,
    }
    function fetchrun.globals.require(name) return modules[name] end
    fetchrun.globals.host = { call = fetchrun.call, notify = fetchrun.notify }
    local plugin = fetchrun.chunk("plugin.lua")
    local result = plugin(arguments)
    if type(result) == "table" and type(result.fetch) == "function" then
      return result.fetch({ options = {}, state = {} })
    end
    return result
    """

  static let limits = LuaRunLimits(
    cpuNanosecondsMax: 200_000_000, memoryBytesMax: 16 << 20, messageBytesMax: 4 << 20,
    nestingMax: 64)

  /// The number of the library function that returns its arguments. Function 1 reports a misuse,
  /// and function 2 refuses the call.
  static let echo: UInt32 = 0

  final class Watch {
    var notices: [Value] = []
    /// The answer of the host to notices.
    var verdict: Int32 = 0
  }

  private static let prepared: String? = LuaEnvironment.prepare(
    library: { _, function, arguments, output in
      if function == echo { return output.append(arguments) ? .values : .refused }
      _ = Array("no such thing".utf8).withUnsafeBytes { output.append($0) }
      return function == 1 ? .misuse : .refused
    },
    notify: { run, message in
      guard let watch = run.context as? Watch else { return 0 }
      watch.notices.append(value(message))
      return watch.verdict
    })

  let run: LuaRun
  let watch = Watch()
  private(set) var last: LuaStep = .preempted

  init(
    _ source: String, name: String = "plugin.lua", limits: LuaRunLimits = TestRun.limits,
    seed: UInt64 = 7
  ) throws {
    if let problem = Self.prepared { throw TestRunError.unprepared(problem) }
    let main = try LuaChunk.compile(name: "prelude", source: Self.prelude.utf8)
    let plugin = try LuaChunk.compile(name: name, source: source.utf8)
    let chunks = LuaChunks(trusted: [main], own: [plugin])
    guard let run = LuaRun(limits: limits, chunks: chunks, seed: seed, context: watch) else {
      throw TestRunError.noMemory
    }
    self.run = run
  }

  /// Runs the first step, and all further steps that only need more CPU time.
  func start(_ argument: Value = .null) -> LuaStep {
    settle(encoded([argument]) { run.start(main: "prelude", arguments: $0) })
  }

  func answer(_ values: [Value]) -> LuaStep {
    settle(encoded(values) { run.resume(returning: $0) })
  }

  func fail(_ message: String) -> LuaStep { settle(run.resume(raising: message)) }

  var output: Value { Self.value(run.output) }

  /// Returns the output of a run without host calls: its result, or its failure.
  func result(_ argument: Value = .null) -> Value {
    last = start(argument)
    return output
  }

  private func settle(_ step: LuaStep) -> LuaStep {
    var step = step
    while step == .preempted { step = run.proceed() }
    return step
  }

  private func encoded(_ values: [Value], _ body: (UnsafeRawBufferPointer) -> LuaStep) -> LuaStep {
    var writer = ValueWriter()
    writer.write(.array(values))
    return writer.bytes.withUnsafeBytes(body)
  }

  static func value(_ bytes: UnsafeRawBufferPointer) -> Value {
    var reader = ValueReader(bytes)
    return (try? reader.readValue()) ?? .string("malformed")
  }
}

enum TestRunError: Error {
  case unprepared(String)
  case noMemory
}
