import CLuaUnderTest
import Testing

/// Tests of the bounded string, table and utf8 libraries. Random calls must give the same results
/// and error messages as Lua's own libraries. If such a call fails, the message has the seed.
///
/// Known differences are excluded from the random calls. The bounded libraries refuse `%p` and show
/// no address. They lack `dump`, and refuse more than 8,000 values or 1,000,000 elements to sort.
/// They return immediately from `string.rep` with empty strings.
struct BoundedLibraryTests {
  @Test(arguments: [
    "compare_patterns(12500)",
    "compare_depth(500)",
    "compare_too_many_captures()",
    "compare_chunks()",
    "compare_long(500)",
    "compare_strings(1500)",
    "compare_utf8(1000)",
    "compare_tables(500)",
    "compare_sort(1000)",
    "check_sort_of_large_lists()",
    "check_sort_against_killer()",
  ])
  func `Random calls give the results of Lua's own functions`(call: String) {
    let seed = Int64.random(in: 1...1_000_000_000)
    #expect(failure(of: call, seed: seed) == nil)
  }

  @Test(arguments: [
    #"assert(ours.string.rep("", math.maxinteger) == "")"#,
    #"assert(ours.string.rep("", math.maxinteger, "") == "")"#,
    #"assert(ours.string.dump == nil)"#,
    #"assert(getmetatable("") == false and ("x").rep == ours.string.rep and "1" + 1 == 2)"#,
    #"assert(not pcall(ours.string.format, "%p", {}))"#,
    #"assert(ours.string.format("%s %s", {}, print) == "table function")"#,
    #"assert(ours.string.format("%s", setmetatable({}, { __name = "thing" })) == "thing")"#,
    #"assert(select('#', ours.table.unpack({}, 1, 8000)) == 8000)"#,
    #"assert(not pcall(ours.table.unpack, {}, 1, 8001))"#,
    #"assert(select('#', ours.string.byte(("x"):rep(9000), 1, 8000)) == 8000)"#,
    #"assert(not pcall(ours.string.byte, ("x"):rep(9000), 1, 8001))"#,
    #"assert(not pcall(ours.utf8.codepoint, ("x"):rep(9000), 1, 8001))"#,
    #"local t = setmetatable({}, { __len = function() return 1000001 end })"#
      + #"assert(select(2, pcall(ours.table.sort, t)):find("array too big"))"#,
  ])
  func `Each known difference from Lua is as listed`(code: String) {
    #expect(failure(of: code, seed: 1) == nil)
  }

  @Test func `An iterator of gmatch continues unchanged after an error`() {
    let code = """
      local deep = ("a?"):rep(300)
      local iterator = ours.string.gmatch(("a"):rep(300), deep)
      for _ = 1, 1000 do
        local ok, message = pcall(iterator)
        assert(not ok and message:find("pattern too complex"), message)
      end
      """
    #expect(failure(of: code, seed: 1) == nil)
  }

  @Test func `Nested callbacks end with Lua's error`() {
    let code = """
      local function nest(s) return (ours.string.gsub(s, "(.)", nest)) end
      local ok, message = pcall(nest, "a")
      assert(not ok and message:find("C stack overflow"), message)
      """
    #expect(failure(of: code, seed: 1) == nil)
  }

  @Test func `Yielding from a callback is an error, as in Lua`() {
    let code = """
      for _, call in ipairs {
        function() ours.string.gsub("abc", "b", coroutine.yield) end,
        function() ours.table.sort({ 3, 2, 1 }, coroutine.yield) end,
        function() ours.table.concat(setmetatable({}, { __len = coroutine.yield })) end,
      } do
        local ok, message = coroutine.resume(coroutine.create(call))
        assert(not ok and message:find("yield across a C%-call boundary"), message)
      end
      """
    #expect(failure(of: code, seed: 1) == nil)
  }
}

/// Runs Lua code that makes the comparisons. Returns the error; nil if there is none.
private func failure(of code: String, seed: Int64) -> String? {
  let folder = String(#filePath.dropLast("BoundedLibraryTests.swift".count))
  let load = """
    for _, name in ipairs { "compare", "patterns", "strings", "tables" } do
      dofile(folder .. "Comparisons/" .. name .. ".lua")
    end

    """
  return underTest(load + code, folder: folder, seed: seed, checksMax: -1)
}
