import Testing

/// Tests of library calls that take long without one instruction of the virtual machine, and of the
/// checks that end these calls. Many of them would keep Lua's own functions busy for seconds, years
/// or forever.
struct BoundedWorkTests {
  static let endless = [
    #"string.find(("a"):rep(60), ("a-"):rep(14) .. "b")"#,
    #"string.find(("a"):rep(1000), ".-.-.-b%d")"#,
    #"string.find(("a"):rep(1000), ".-.-%d")"#,
    #"string.match(("a"):rep(100), ("a*"):rep(20) .. "%d")"#,
    #"string.gsub(("a"):rep(100), ("a?"):rep(100) .. ("[ab]"):rep(101), "")"#,
    #"string.gmatch(("a"):rep(1000), ".-.-.-%d")()"#,
    #"string.find(("("):rep(200000), "%b()")"#,
    #"string.find(("a"):rep(200000), "(a*)%1%d")"#,
    #"string.gsub(("x"):rep(100000), "(y*)x", ("%1"):rep(100000))"#,
    #"table.concat(setmetatable({}, { __index = getmetatable, __metatable = "" }), "", 1, 1 << 62)"#,
    #"table.move({}, 1, math.maxinteger - 1, 2)"#,
    #"table.insert(setmetatable({}, { __len = function() return 1 << 53 end }), 1, 1)"#,
    #"table.remove(setmetatable({}, { __len = function() return 1 << 53 end }), 1)"#,
  ]

  @Test(arguments: endless)
  func `A check ends a call that would not end`(call: String) {
    #expect(underTest("ours." + call, checksMax: 2000)?.contains("no time left") == true)
  }

  /// Calls for which Lua's own functions need seconds or longer.
  @Test(arguments: [
    #"string.find(("a"):rep(30), ("a-"):rep(6) .. "b")"#,
    #"string.find(("a"):rep(1000), ".-.-b")"#,
    #"string.find(("a"):rep(300), ".-.-.-b")"#,
    #"string.find(("<item>"):rep(10000), "<item>(.-)</item>")"#,
    #"string.find(("a"):rep(20000), ".*href")"#,
    #"string.find(("a"):rep(1000000) .. "b", ("a"):rep(500000) .. "b", 1, true)"#,
    #"string.rep("", 1 << 62)"#,
  ])
  func `A call that takes Lua seconds needs few checks`(call: String) {
    #expect(underTest("ours." + call, checksMax: 40_000) == nil)
  }

  @Test(arguments: [
    #"format(("%.0s"):rep(1000), table.unpack(huge))"#,
    #"format(("%d"):rep(1000), table.unpack(huge))"#,
    #"char(table.unpack(huge))"#,
  ])
  func `Many arguments that are long strings are checked one by one`(call: String) {
    let prepare = """
      local huge = {}
      for i = 1, 1000 do huge[i] = (" "):rep(10000) .. "65" end

      """
    #expect(
      underTest(prepare + "ours.string." + call, checksMax: 900)?.contains("no time left") == true)
  }

  @Test func `A run without time left ends while it sorts long strings`() {
    let code = """
      local list = {}
      for i = 1, 5000 do list[i] = ("x"):rep(1000) .. i end
      ours.table.sort(list)
      """
    #expect(underTest(code, checksMax: 2000)?.contains("no time left") == true)
  }
}
