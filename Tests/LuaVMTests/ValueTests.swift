import FetchValues
import LuaVM
import Testing

@Suite struct ValueTests {
  /// Returns a random tree of values that Lua and the host can both represent without loss.
  static func randomValue(_ random: inout some RandomNumberGenerator, depth: Int = 0) -> Value {
    switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &random) {
    case 0: return .bool(.random(using: &random))
    case 1: return .integer(Int64(Int8.random(in: .min ... .max, using: &random)))
    case 2: return .integer(.random(in: .min ... .max, using: &random))
    case 3: return .number(.random(in: -1e300...1e300, using: &random))
    case 4: return .string(String(repeating: "ä", count: .random(in: 0...200, using: &random)))
    case 5: return depth == 0 ? 1 : .null
    case 6:
      return .array(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          randomValue(&random, depth: depth + 1)
        })
    default:
      var object = ValueObject()
      // An object without members also stays an object.
      for index in 0..<Int.random(in: 0...9, using: &random) {
        object.append("key\(index)", randomValue(&random, depth: depth + 1))
      }
      return .object(object)
    }
  }

  @Test func `values are unchanged after they passed through Lua`() throws {
    var random = SplitMix(state: 11)
    for _ in 0..<100 {
      let value = Value.array((0..<9).map { _ in Self.randomValue(&random, depth: 1) })
      let run = try TestRun("return (...)")
      #expect(run.result(value) == value)
    }
  }

  @Test func `bytes that are not UTF-8 are unchanged after they passed through Lua`() throws {
    let run = try TestRun("return { (...) .. '\\xFE' }")
    #expect(run.result(.bytes([0xFF, 0])) == [.bytes([0xFF, 0, 0xFE])])
  }

  @Test(
    arguments: [
      ("{}", Value.object(ValueObject())),
      ("json.array({})", []),
      ("json.array({ 1 })", [1]),
      ("{ json.null, n = nil }", [nil]),
      ("{ a = json.null }", ["a": nil]),
      ("nil", nil),
      ("{ [1] = 1, [2] = 2 }", [1, 2]),
      ("-0.0", .number(-0.0)),
      ("1e15", .number(1e15)),
      ("math.mininteger", .integer(.min)),
      ("{ [''] = 1 }", ["": 1]),
    ] as [(String, Value)]) func `each of Lua's values has one encoding`(
      source: String, value: Value
    )
    throws
  {
    let run = try TestRun("local json = require 'json' return \(source)")
    let result = run.result()
    #expect(run.last == .finished)
    #expect(result == value)
  }

  @Test(arguments: [
    (
      "{ items = { 1, 2, { tags = { 1, x = 2 } } } }",
      "items[3].tags: a table with both list and named entries cannot be sent", "invalidValue"
    ),
    ("{ a = { 1, 2, 0/0 } }", "a[3]: a number that is not finite cannot be sent", "invalidValue"),
    ("{ f = print_ }", "f: a function cannot be sent", "invalidValue"),
    (
      "{ 1, nil, 3 }",
      "a list with holes cannot be sent; use json.null for missing values, or strings as keys",
      "invalidValue"
    ),
    ("{ { [true] = 1 } }", "[1]: a table with a boolean as a key cannot be sent", "invalidValue"),
    (
      "{ { ['\\xFF'] = 1 } }",
      "[1]: a table with a key that is not UTF-8 cannot be sent", "invalidValue"
    ),
    ("self", "me: a table that contains itself cannot be sent", "invalidValue"),
    ("('x'):rep(5000000)", "the value is too large to be sent", "resultLimit"),
  ]) func `the error about a value that cannot be sent has its position`(
    source: String, message: String, code: String
  ) throws {
    let run = try TestRun(
      """
      function print_() end
      local self = {} self.me = self
      host.call('emit',
        \(source))
      """)
    let failure = run.result()
    #expect(run.last == .failed)
    #expect(failure["message"]?.stringValue?.hasSuffix(message) == true, "\(failure)")
    #expect(failure["code"]?.stringValue == code)
    #expect(failure["file"] == "plugin.lua")
    #expect(failure["line"] == 3)
  }

  @Test func `the depth of nested tables is limited`() throws {
    let source = "local t = {} for _ = 2, ... do t = { t } end return t"
    let run = try TestRun(source)
    _ = run.result(64)
    #expect(run.last == .finished)
    let deeper = try TestRun(source)
    #expect(deeper.result(65)["code"] == "nestingLimit")
  }

  @Test func `library functions take and return several values`() throws {
    let run = try TestRun(
      """
      local test = require 'test'
      local echo, misuse, refused = test.library(0), test.library(1), test.library(2)
      local a, b, c, d = echo(1, nil, { 'x' }, 'y')
      local ok, message = pcall(misuse)
      return { a, b == nil, c, d, select('#', echo()), message, (select(2, refused())) }
      """)
    let result = run.result()
    #expect(
      result == [1, true, ["x"], "y", 0, "plugin.lua:4: no such thing", "no such thing"])
  }

  @Test func `a reply that cannot be decoded is an error in Lua`() throws {
    let replies: [[UInt8]] = [
      [], [6], [6, 1, 0, 0, 0], [6, 1, 0, 0, 0, 99], [7, 1, 0, 0, 0, 0],
      [6, 255, 255, 255, 255], [6, 0, 0, 0, 0, 0], [6, 1, 0, 0, 0, 7, 1, 0, 0, 0, 1, 1, 1],
      [6, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 0)
        + Array(repeating: [6, 1, 0, 0, 0], count: 300).flatMap { $0 },
    ]
    for reply in replies {
      let run = try TestRun("return host.call('x')")
      #expect(run.start() == .request)
      let step = reply.withUnsafeBytes { run.run.resume(returning: $0) }
      #expect(step == .failed)
      #expect(
        run.output["message"]?.stringValue?.contains("malformed") == true, "\(run.output)")
    }
  }
}

/// A small random generator (SplitMix64). The same seed gives the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
