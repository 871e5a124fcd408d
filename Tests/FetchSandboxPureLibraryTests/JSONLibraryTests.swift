import FetchSandbox
import FetchValues
import Testing

struct JSONLibraryTests {
  @Test func `JSON is decoded and encoded`() throws {
    #expect(try call("json.decode", #"{"a":[1,2.5,null,"é"]}"#) == ["a": [1, 2.5, nil, "é"]])
    #expect(try call("json.encode", ["b": 1, "a": [nil]]) == #"{"b":1,"a":[null]}"#)
    #expect(
      try call("json.encode", ["b": 1, "a": []], ["sort": true, "pretty": true])
        == "{\n  \"a\": [],\n  \"b\": 1\n}")
  }

  @Test func `invalid text is refused, misuse is an error`() throws {
    #expect(
      try failure("json.decode", "{")
        == .refused("invalid JSON at line 1 column 2: the text ends within an object"))
    #expect(
      try failure("json.decode", 1)
        == .misuse("bad argument #1 to 'json.decode' (string expected, got integer)"))
    #expect(
      try failure("json.encode", .bytes([0xFF]))
        == .misuse(
          "json.encode: the value cannot be written as JSON: a string is not valid UTF-8"))
    #expect(
      try failure("json.encode", 1, ["indent": 2])
        == .misuse("unknown option 'indent' for 'json.encode' (the options are pretty, sort)"))
  }
}
