import FetchValues
import LuaVM
import Testing

@Suite struct RunTests {
  @Test func `a chunk returns its result`() throws {
    let run = try TestRun("local a = ... ; return { got = a, list = { 1, 2.5, 'x' } }")
    let result = run.result(["k": [1, nil, true]])
    #expect(run.last == .finished)
    #expect(result == ["got": ["k": [1, nil, true]], "list": [1, 2.5, "x"]])
  }

  @Test func `a request waits for its answer`() throws {
    let run = try TestRun(
      "local a, b = host.call('http', { url = 'x' }, nil, 3) return { a, b }")
    #expect(run.start() == .request)
    #expect(run.output == ["http", ["url": "x"], nil, 3])
    #expect(run.answer([200, "body"]) == .finished)
    #expect(run.output == [200, "body"])
  }

  @Test func `the CPU limit ends an endless loop`() throws {
    let run = try TestRun("while true do end")
    #expect(run.start() == .killed(.cpu))
    #expect(run.output["file"] == "plugin.lua")
    #expect(run.output["line"] == 1)
  }
}
