import FetchHost
import FetchModel
import FetchValues
import Testing

/// Tests of runs that produce or request too much. Limits end these runs, with a message about the
/// limit.
struct FloodTests {
  struct Flood: CustomTestStringConvertible {
    let body: String
    let code: FailureCode
    let message: String
    var testDescription: String { code.rawValue }
  }

  private static var limits: RunLimits {
    var limits = RunLimits()
    limits.items = 1000
    limits.hostCalls = 20
    limits.logBytes = 4096
    limits.resultBytes = 64 << 10
    limits.nesting = 16
    limits.cpu = .milliseconds(200)
    limits.memoryBytes = 8 << 20
    return limits
  }

  /// Returns code that builds one table of a thousand values and a list with `references`
  /// references to this table. The list takes little memory in Lua.
  private static func shared(references: Int) -> String {
    "local t, list = {}, {} for i = 1, 1000 do t[i] = true end "
      + "for i = 1, \(references) do list[i] = t end "
  }

  @Test(arguments: [
    Flood(
      body: "while true do ctx:emit({id = 'x'}) end", code: .itemLimit,
      message:
        "the run produced more than 1000 items (limit items); produce fewer or raise the limit"),
    Flood(
      body: "local t = {} for i = 1, 1001 do t[i] = {} end return t", code: .itemLimit,
      message:
        "the run produced more than 1000 items (limit items); produce fewer or raise the limit"),
    Flood(
      body: "for i = 1, 9 do ctx:emit({content = ('x'):rep(8000)}) end", code: .resultLimit,
      message: "the run's items and state have more than 64 KiB (limit resultBytes); "
        + "return less data or raise the limit"),
    Flood(
      body: "ctx.state.text = ('x'):rep(70000)", code: .resultLimit,
      message: "the run's items and state have more than 64 KiB (limit resultBytes); "
        + "return less data or raise the limit"),
    Flood(
      body: shared(references: 4) + "ctx:emit({id = 'x', list = list})", code: .resultLimit,
      message: "the run's items and state take more than 128 KiB of memory when they are read "
        + "(twice the limit resultBytes); return less data or raise the limit"),
    Flood(
      body: shared(references: 4) + "ctx.state.list = list", code: .resultLimit,
      message: "the run's items and state take more than 128 KiB of memory when they are read "
        + "(twice the limit resultBytes); return less data or raise the limit"),
    Flood(
      body: shared(references: 4) + "ctx.state.list = list ctx:checkpoint()", code: .resultLimit,
      message: "the run's items and state take more than 128 KiB of memory when they are read "
        + "(twice the limit resultBytes); return less data or raise the limit"),
    Flood(
      body: shared(references: 100)
        + "require('http').get('http://a.test/', {auth = {user = list}})",
      code: .resultLimit,
      message: "the arguments of a host call take more than 4 MiB of memory in addition to their "
        + "encoded size; pass fewer values"),
    Flood(
      body: "while true do require('http').get('http://a.test/') end", code: .hostCallLimit,
      message: "the run made more than 20 host calls (limit hostCalls); "
        + "make the Lua code do less or raise the limit"),
    Flood(
      body: "while true do pcall(require('log').info, ('x'):rep(100)) end", code: .logLimit,
      message: "the run logged more than 4 KiB (limit logBytes); log less or raise the limit"),
    Flood(
      body: "local t = {} for i = 1, 20 do t = {t} end ctx:emit({deep = t})", code: .nestingLimit,
      message: "a value has more than 16 levels of nested tables (limit nesting); "
        + "nest fewer tables or raise the limit"),
    Flood(
      body: "while true do end", code: .cpuLimit,
      message: "the run used more than its 200 ms of CPU time (limit cpu); "
        + "make the Lua code do less or raise the limit"),
    Flood(
      body: "local t = {} while true do t[#t + 1] = {} end", code: .memoryLimit,
      message: "the run needed more than its 8 MiB of memory (limit memoryBytes); "
        + "make the Lua code do less or raise the limit"),
  ])
  func `a flood ends its run with the limit's name`(flood: Flood) async throws {
    let calls = RecordedCalls { _ in .values([nil, "offline"]) }
    let end = try await WorkerPool.once(.fetching(flood.body), limits: Self.limits, calls: calls)
    #expect(end.failure?.code == flood.code)
    #expect(end.failure?.message == flood.message)
    #expect(calls.calls.count <= 20)
  }

  @Test func `a value that is too large for one message ends its run with the reason`()
    async throws
  {
    var limits = RunLimits()
    limits.memoryBytes = 512 << 20
    let message =
      "a value is too large for one message between the plugin and the host (at most 48 MiB); "
      + "pass less data at once"
    let given = try await WorkerPool.once(
      .fetching("require('base64').encode(('x'):rep(2^10):rep(49 * 2^10))"), limits: limits)
    #expect(given.failure?.code == .resultLimit)
    #expect(given.failure?.message == message)
    let calls = RecordedCalls { _ in .values([.string(String(repeating: "x", count: 49 << 20))]) }
    let received = try await WorkerPool.once(
      .fetching("require('http').get('http://a.test/')"), limits: limits, calls: calls)
    #expect(received.failure == Failure(.resultLimit, message))
  }

  @Test(
    arguments: [
      ("return 5", FailureCode.invalidItem),
      ("return {id = 'a'}", .invalidItem),
      ("return {5}", .invalidItem),
      ("return {{{1}}}", .invalidItem),
      ("return {{1, 2}}", .invalidItem),
      ("return {{title = 5}}", .invalidItem),
      ("return {{tags = 'a'}}", .invalidItem),
      ("ctx:emit('x')", .invalidItem),
      ("ctx:emit({{}})", .invalidItem),
      ("return {{title = '\\xff'}}", .invalidValue),
      ("return {{more = '\\xff'}}", .invalidValue),
      ("return {{['\\xff'] = 1}}", .invalidValue),
      ("return {{n = 0/0}}", .invalidValue),
      ("return {{n = 1/0}}", .invalidValue),
      ("return {{f = print_ or function() end}}", .pluginError),
      ("return {{f = function() end}}", .invalidValue),
      ("return {{[true] = 1}}", .invalidValue),
      ("return {{a = {1, x = 2}}}", .invalidValue),
      ("local t = {} t.t = t return {t}", .invalidValue),
      ("local t = {{}} t[1].t = t return t", .invalidValue),
      ("ctx.state = 5", .invalidValue),
      ("ctx.state.f = function() end", .invalidValue),
      ("ctx.stat = {}", .pluginError),
      ("return ctx.option", .pluginError),
      ("return require('jsn')", .pluginError),
      ("return http.get('x')", .pluginError),
    ] as [(String, FailureCode)])
  func `a value that cannot be an item is a failure with its place`(
    body: String, code: FailureCode
  ) async throws {
    let end = try await WorkerPool.once(.fetching(body))
    #expect(end.failure?.code == code, "\(String(describing: end.failure))")
    #expect(end.failure?.message.isEmpty == false)
  }

  @Test func `messages about missing fields of ctx and modules list the existing names`()
    async throws
  {
    let option = try await WorkerPool.once(.fetching("return ctx.option"))
    #expect(
      option.failure?.message
        == """
        ctx has no field 'option'; \
        it has checkpoint, complete, emit, note, options, secret, state, time_left, transfer
        """)
    let module = try await WorkerPool.once(
      .fetching("require 'jsn'", libraries: ["dates": "return {}"]))
    #expect(
      module.failure?.message.hasPrefix("there is no module 'jsn'; the modules are base64, csv")
        == true)
    #expect(
      module.failure?.message.hasSuffix(
        "and the files dates; put your own module beside this file, in a lib folder there or in a"
          + " plugin folder, and write its name in quotes directly after require") == true)
  }
}
