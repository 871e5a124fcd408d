import FetchSandbox
import FetchValues
import Testing

struct CSVLibraryTests {
  static let texts: [(text: String, rows: Value)] = [
    ("", []), ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a\nb", [["a"], ["b"]]),
    ("a\rb\r", [["a"], ["b"]]), ("\u{FEFF}a,b", [["a", "b"]]), (",\n", [["", ""]]),
    ("\"a \"\"quoted\"\" word\",\"x\ny\"\n", [["a \"quoted\" word", "x\ny"]]),
    ("5\" disk,a\"b\"\n", [["5\" disk", "a\"b\""]]), ("a\n\n\nb\n", [["a"], ["b"]]),
    ("\"\"\n", [[""]]), ("a,", [["a", ""]]), ("\"\"\"\"", [["\""]]),
  ]

  @Test(arguments: texts) func `records are returned as lists`(text: String, rows: Value) throws {
    #expect(try call("csv.decode", .string(text)) == rows)
  }

  @Test func `records with a header are returned as tables`() throws {
    #expect(
      try call("csv.decode", "id;name\n1;x\n2\n3;y;\n", ["header": true, "delimiter": ";"])
        == [["id": "1", "name": "x"], ["id": "2"], ["id": "3", "name": "y"]])
    #expect(try call("csv.decode", "1,2\n", ["header": ["a", "b"]]) == [["a": "1", "b": "2"]])
    #expect(try call("csv.decode", "", ["header": true]) == [])
  }

  static let faults: [(text: String, options: Value, message: String)] = [
    ("a\n\"b\nc", nil, "invalid CSV at line 2: the quote is not closed"),
    ("a\n\"b\nc\"d", nil, "invalid CSV at line 3: text after the closing quote"),
    ("a,a\n", ["header": true], "invalid CSV at line 1: duplicate column 'a'"),
    (
      "a\n1\n1,2\n", ["header": true],
      "invalid CSV at line 3: more fields than the header has columns (1)"
    ),
    (
      "a\n\n\r\n1,2\n", ["header": true],
      "invalid CSV at line 4: more fields than the header has columns (1)"
    ),
  ]

  @Test(arguments: faults) func `an error has its line`(
    text: String, options: Value, message: String
  ) throws {
    #expect(try failure("csv.decode", .string(text), options) == .refused(message))
  }

  @Test func `rows become records`() throws {
    #expect(
      try call("csv.encode", [["a", "b,c"], [1, nil], [2.5, "x\"y\nz"], [""]])
        == "a,\"b,c\"\r\n1,\r\n2.5,\"x\"\"y\nz\"\r\n\"\"\r\n")
    #expect(
      try call("csv.encode", [["b": 1, "a": "x"], ["a": true]]) == "a,b\r\nx,1\r\ntrue,\r\n")
    #expect(
      try call("csv.encode", [["b": 1, "a": "x"]], ["header": ["b"], "delimiter": "\t"])
        == "b\r\n1\r\n")
    #expect(
      try failure("csv.encode", [[["x"]]])
        == .misuse("row 1 for 'csv.encode' has a list as a field"))
    #expect(
      try failure("csv.encode", [1])
        == .misuse("row 1 for 'csv.encode' must be a table, got integer"))
    #expect(
      try failure("csv.encode", [["a"], ["b": 1]])
        == .misuse(
          "row 2 for 'csv.encode' is a table with names, but the columns are unknown: list them in"
            + " the option 'header'"))
  }
}
