import FetchValues
import LuaVM
import Testing

@Suite struct LimitTests {
  static func limits(memoryBytesMax: Int) -> LuaRunLimits {
    var limits = TestRun.limits
    limits.memoryBytesMax = memoryBytesMax
    return limits
  }

  @Test func `memory may run out at any allocation`() throws {
    // The limits range from too little memory for a state to enough for the whole script.
    var ends: Set<String> = []
    for bytes in stride(from: 1_000, to: 140_000, by: 131) {
      let limits = Self.limits(memoryBytesMax: bytes)
      guard let run = try? TestRun(PreemptionTests.mix, limits: limits) else {
        ends.insert("not opened")
        continue
      }
      var step = run.start()
      while step == .request {
        step = run.answer(Array((run.output.arrayValue ?? []).dropFirst()))
      }
      #expect(run.run.usage.memoryBytesPeak <= bytes)
      ends.insert("\(step)")
    }
    #expect(ends == ["not opened", "killed(LuaVM.LuaDeath.memory)", "finished"])
  }

  @Test func `garbage does not end a run`() throws {
    let run = try TestRun(
      """
      local kept = {}
      for i = 1, 400 do kept[i % 40] = ("x"):rep(100000) .. i end
      return #kept
      """, limits: Self.limits(memoryBytesMax: 6 << 20))
    #expect(run.result() == 39, "\(run.last)")
  }

  @Test func `a killed run ends at its next step, with the reason`() throws {
    let run = try TestRun("return host.call('x')")
    #expect(run.start() == .request)
    run.run.kill(reason: 42)
    #expect(run.answer([]) == .killed(.cancelled(reason: 42)))
    #expect(run.answer([]) == .killed(.cancelled(reason: 42)))
  }

  @Test func `a notice that the host refuses ends the run`() throws {
    let run = try TestRun("host.notify('log', 'a')\npcall(host.notify, 'log', 'b')\nreturn 1")
    run.watch.verdict = 9
    #expect(run.start() == .killed(.cancelled(reason: 9)))
    #expect(run.watch.notices == [["log", "a"]])
  }

  @Test func `a host call fails where Lua cannot yield`() throws {
    let places = [
      "table.sort({ 2, 1 }, function() host.call('x') end)",
      "('x'):gsub('x', function() host.call('x') end)",
      "return tostring(setmetatable({}, { __tostring = function() host.call('x') end }))",
      "('x'):gsub('x', function() coroutine.wrap(function() host.call('x') end)() end)",
    ]
    for place in places {
      let run = try TestRun(place)
      let message = run.result()["message"]?.stringValue
      #expect(
        message == "'x' cannot wait inside a metamethod, a sort comparator, a gsub callback or a "
          + "message handler")
    }
  }

  @Test func `runs are isolated from each other`() throws {
    let first = try TestRun("string.rep = nil; leaked = 1; math.pi = 3; return host.call('x')")
    #expect(first.start() == .request)
    let second = try TestRun("return { rawget(_G, 'leaked') == nil, math.pi > 3, ('x'):rep(2) }")
    #expect(second.result() == [true, true, "xx"])
    #expect(first.answer([1]) == .finished)
  }

  @Test func `the seed determines random numbers`() throws {
    let source = "return { math.random(1 << 40), math.random(), math.random(0) }"
    let results = try [3, 3, 4].map { try TestRun(source, seed: $0).result() }
    #expect(results[0] == results[1])
    #expect(results[0] != results[2])
  }

  @Test func `the seed determines the order of pairs`() throws {
    let source = """
      local t, names = {}, {}
      for i = 1, 60 do t["key" .. i] = i end
      for name in pairs(t) do names[#names + 1] = name end
      return names
      """
    let results = try [3, 3, 4].map { try TestRun(source, seed: $0).result() }
    #expect(LuaEnvironment.isComplete)
    #expect(results[0] == results[1])
    #expect(results[0] != results[2])
  }

  @Test func `no table is weak, and no object has a finalizer`() throws {
    let run = try TestRun(
      """
      local meta, count = {}, 0
      local weak = setmetatable({}, meta)
      meta.__mode = "kv"
      meta.__gc = function() count = count + 1 end
      for i = 1, 5 do weak[{}] = {} end
      local garbage
      for i = 1, 200000 do garbage = { i } end
      local left = 0
      for _ in next, weak do left = left + 1 end
      return { left, count }
      """)
    #expect(run.result() == [5, 0])
  }

  @Test func `a plugin's changes of globals do not affect trusted code`() throws {
    let run = try TestRun(
      "pcall, type, string.rep = nil, nil, nil; local globals, set = _G, rawset "
        + "for k in pairs(_G) do set(globals, k, nil) end "
        + "return { fetch = 1 }")
    #expect(run.result() == ["fetch": 1])
  }

  @Test func `many waiting runs need little memory`() throws {
    let source = "local t = {} for i = 1, 50 do t[i] = i end local r = host.call('x') return r + #t"
    let runs = try (0..<100).map { _ in try TestRun(source) }
    for run in runs { #expect(run.start() == .request) }
    for run in runs { #expect(run.run.usage.memoryBytes < 40_000) }
    for (index, run) in runs.enumerated() {
      #expect(run.answer([.integer(Int64(index))]) == .finished)
      #expect(run.output == .integer(Int64(index) + 50))
    }
  }

  @Test func `the plugin's globals are exactly those of the allow list`() throws {
    let run = try TestRun(
      """
      local names = {}
      for name in pairs(_G) do names[#names + 1] = name end
      for _, library in ipairs({ "coroutine", "math", "string", "table", "utf8" }) do
        for name in pairs(_G[library]) do names[#names + 1] = library .. "." .. name end
      end
      table.sort(names)
      return table.concat(names, " ")
      """)
    #expect(
      run.result() == """
        _G _VERSION assert collectgarbage coroutine coroutine.create coroutine.isyieldable \
        coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield error \
        getmetatable host ipairs load math math.abs math.acos math.asin math.atan math.ceil \
        math.cos math.deg math.exp math.floor math.fmod math.huge math.log math.max \
        math.maxinteger math.min math.mininteger math.modf math.pi math.rad math.random \
        math.randomseed math.sin math.sqrt math.tan math.tointeger math.type math.ult next pairs \
        pcall rawequal rawget rawlen rawset require select setmetatable string string.byte \
        string.char string.find string.format string.gmatch string.gsub string.len string.lower \
        string.match string.pack string.packsize string.rep string.reverse string.sub \
        string.unpack string.upper table table.concat table.insert table.move table.pack \
        table.remove table.sort table.unpack tonumber tostring type utf8 utf8.char \
        utf8.charpattern utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
        """)
  }
}
