import FetchSandbox
import FetchValues
import Testing

struct URLLibraryTests {
  @Test func `a URL is parsed and built`() throws {
    let parts: Value = [
      "scheme": "https", "user": "u", "host": "h.test", "port": 8080, "path": "/a", "query": "b=1",
      "fragment": "c",
    ]
    #expect(try call("url.parse", "https://u@h.test:8080/a?b=1#c") == parts)
    #expect(try call("url.build", parts) == "https://u@h.test:8080/a?b=1#c")
    #expect(
      try failure("url.parse", "http://a b")
        == .refused("a URL must not contain a space (write %20)"))
    #expect(
      try failure("url.build", ["host": "a b"])
        == .misuse("url.build: a URL must not contain a space (write %20)"))
  }

  @Test func `relative links are resolved`() throws {
    #expect(try call("url.resolve", "https://h.test/a/b", "../c d") == "https://h.test/c%20d")
    #expect(try call("url.resolve", nil, "https://h.test") == "https://h.test/")
    #expect(
      try failure("url.resolve", "h.test", "c") == .refused("'h.test' is not a valid absolute URL"))
    #expect(try failure("url.resolve", nil, "c") == .refused("'c' does not resolve to a URL"))
    #expect(try call("url.normalize", "HTTP://H.test:80/%61/../b") == "http://h.test/b")
    #expect(
      try call("url.join", "https://h.test/v1?x=1", "users", "a/b c", 5)
        == "https://h.test/v1/users/a%2Fb%20c/5")
  }

  @Test func `components are escaped`() throws {
    #expect(try call("url.encode", "a b/ü&") == "a%20b%2F%C3%BC%26")
    #expect(try call("url.decode", "a%20b%2f%C3%BC+%zz%4") == "a b/ü+%zz%4")
  }

  @Test func `queries are read and written`() throws {
    #expect(try call("url.query", "a=1&b=x+y&a=2") == ["a": ["1", "2"], "b": "x y"])
    #expect(try call("url.query", ["b": true, "a": [1, 2.0, "x y"]]) == "a=1&a=2&a=x%20y&b=true")
    #expect(try call("url.query", [["z", 1], ["a", 2]]) == "z=1&a=2")
    #expect(try call("url.query", [:]) == "")
    #expect(throws: LibraryError.self) { try call("url.query", ["a": ["b": 1]]) }
  }
}
