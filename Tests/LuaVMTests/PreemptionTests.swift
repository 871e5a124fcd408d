import FetchValues
import LuaVM
import Testing

@Suite struct PreemptionTests {
  /// Code with every construct across which a yield may occur.
  static let mix = """
    local log = {}
    local function note(...)
      local words = table.pack(...)
      for i = 1, words.n do words[i] = tostring(words[i]) end
      log[#log + 1] = table.concat(words, " ")
    end
    local co = coroutine.wrap(function(a)
      for i = 1, 5 do
        a = coroutine.yield(i * a)
        note("inner", a, coroutine.isyieldable())
      end
      local ok, message = pcall(function() error("inside", 0) end)
      note(ok, message)
      return "done"
    end)
    for i = 1, 6 do note("outer", co(i)) end
    note(pcall(co))
    local nested = coroutine.wrap(function()
      for v in coroutine.wrap(function() for i = 1, 4 do coroutine.yield(i) end end) do
        coroutine.yield(v)
      end
    end)
    for v in nested do note("nested", v) end
    local object = setmetatable({}, {
      __index = function(_, k) local n = 0 for i = 1, 10 do n = n + i end return k .. n end,
      __call = function(_, ...) return select("#", ...) end,
      __lt = function() return true end, __concat = function() return "joined" end,
      __close = function() note("closed") end,
    })
    do local guard <close> = object note(guard.x, guard(1, 2, 3), guard < guard, guard .. "y") end
    local function triple(c) local s = "" for _ = 1, 3 do s = s .. c end return s end
    note((("a,b,c"):gsub("%w", triple)))
    local list = { 5, 3, 9, 1 }
    table.sort(list, function(a, b) local x = a < b return x end)
    note(table.concat(list, ","))
    note(xpcall(function(...) local t = { ... } return #t end, tostring, 1, 2))
    note(xpcall(error, function(m) return "handled " .. tostring(m) end, "bad"))
    for k, v in pairs({ 1, 2, 3 }) do note(k, v) end
    note(host.call("echo", #log))
    note(coroutine.wrap(function() return host.call("echo", "from inside") end)())
    note(math.random(1000), math.random(1000))
    return log
    """

  static func play(every instructions: Int32) throws -> Value {
    let run = try TestRun(mix)
    if instructions > 0 { run.run.preempt(every: instructions) }
    var step = run.start()
    while step == .request {
      let arguments = run.output.arrayValue ?? []
      step = run.answer(Array(arguments.dropFirst()))
    }
    #expect(step == .finished, "\(run.output)")
    if instructions > 0 { #expect(run.run.usage.slices > 5) }
    return run.output
  }

  @Test(arguments: [1, 2, 3, 5, 7, 17, 101] as [Int32])
  func `preemption does not change the result`(every instructions: Int32) throws {
    let undisturbed = try Self.play(every: 0)
    #expect((undisturbed.arrayValue?.count ?? 0) == 29)
    #expect(try Self.play(every: instructions) == undisturbed)
  }
}
