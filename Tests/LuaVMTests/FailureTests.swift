import FetchValues
import LuaVM
import Testing

@Suite struct FailureTests {
  @Test func `a failure has its file, line and traceback`() throws {
    let run = try TestRun(
      """
      local function fetch_page(url)
        error("no page at " .. url)
      end
      local t = {}
      function t.fetch() fetch_page("x") return 1 end
      t.fetch()
      return nil
      """)
    let failure = run.result()
    #expect(run.last == .failed)
    #expect(failure["message"] == "no page at x")
    #expect(failure["file"] == "plugin.lua")
    #expect(failure["line"] == 2)
    #expect(
      failure["traceback"] == [
        "plugin.lua:2: in function 'fetch_page'", "plugin.lua:5: in function 'fetch'",
        "plugin.lua:6: in the main chunk",
      ])
  }

  @Test(arguments: [
    ("error()", "the error is a nil, not a message"),
    ("error({})", "the error is a table, not a message"),
    ("error({ message = 'told' })", "told"),
    ("error('plain', 0)", "plain"),
    ("error(42)", "42"),
    ("error('bad \\xFF bytes', 0)", "bad ? bytes"),
    ("error('other.lua:1: quoted', 0)", "other.lua:1: quoted"),
    ("local x = nil; x.y = 1", "attempt to index a nil value (local 'x')"),
    ("undefined_name()", "undefined global 'undefined_name'"),
    ("pirnt()", "undefined global 'pirnt'"),
    ("tostrnig(1)", "undefined global 'tostrnig': did you mean 'tostring'?"),
    (
      "os.time()",
      "undefined global 'os': plugins have no os; use require \"time\" for dates and times"
    ),
    ("http.get()", "undefined global 'http': write local http = require \"http\""),
    ("print(1)", "undefined global 'print': use require \"log\""),
    ("require('test').fail('bodyLimit', 'too much')", "too much"),
  ]) func `every error value is converted to a message`(source: String, message: String) throws {
    let run = try TestRun(source)
    let failure = run.result()
    #expect(run.last == .failed)
    #expect(failure["message"]?.stringValue == message)
    #expect(failure["line"] == 1)
  }

  @Test func `the host gets the code of a failure, and pcall gets a string`() throws {
    let run = try TestRun(
      """
      local fail = require('test').fail
      local ok, message = pcall(fail, 'bodyLimit', 'the body is too large')
      assert(not ok and message == 'plugin.lua:2: the body is too large', message)
      local _, inside = pcall(function() fail('bodyLimit', 'again') end)
      assert(inside == 'plugin.lua:4: again', inside)
      local _, handled = xpcall(fail, function(m) return 'handled ' .. m end, 'x', 'y')
      assert(handled == 'handled plugin.lua:6: y', handled)
      local _, resumed = coroutine.resume(coroutine.create(function() fail('x', 'z') end))
      assert(resumed == 'plugin.lua:8: z', resumed)
      fail('bodyLimit', 'the end')
      """)
    let failure = run.result()
    #expect(failure["message"] == "the end")
    #expect(failure["code"] == "bodyLimit")
    #expect(failure["line"] == 10)
  }

  @Test func `a failed host call is an error at the line of the plugin`() throws {
    let run = try TestRun("local x = 1\nlocal y = host.call('x') + 1\nreturn y")
    #expect(run.start() == .request)
    #expect(run.fail("not granted") == .failed)
    #expect(run.output["message"] == "not granted")
    #expect(run.output["line"] == 2)
  }

  @Test func `the traceback of a deep stack is shortened in the middle`() throws {
    let run = try TestRun(
      "local function f(n) if n == 0 then error('deep') end f(n - 1) end f(200)")
    let traceback = run.result()["traceback"]?.arrayValue ?? []
    #expect(traceback.count == 21)
    #expect(traceback[12] == "...")
    #expect(traceback[20] == "plugin.lua:1: in the main chunk")
  }

  @Test(arguments: [
    ("x = = 1", 1, "unexpected symbol near '='"), ("\n\nfor", 3, "<name> expected near <eof>"),
  ]) func `source that is not valid Lua is refused with its line`(
    source: String, line: Int64, message: String
  ) throws {
    let error = #expect(throws: LuaCompileError.self) {
      try LuaChunk.compile(name: "bad.lua", source: source.utf8)
    }
    let failure = error?.failure.withUnsafeBytes { TestRun.value($0) }
    #expect(failure?["file"] == "bad.lua")
    #expect(failure?["line"]?.integerValue == line)
    #expect(failure?["message"]?.stringValue == message)
  }

  @Test func `bytecode and oversized files are not compiled`() throws {
    #expect(throws: LuaCompileError.self) {
      try LuaChunk.compile(name: "x", source: Array("\u{1B}Lua".utf8))
    }
    #expect(throws: LuaCompileError.self) {
      try LuaChunk.compile(name: "x", source: Array(repeating: UInt8(ascii: " "), count: 2 << 20))
    }
  }
}
