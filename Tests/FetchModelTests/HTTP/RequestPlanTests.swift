import FetchModel
import FetchValues
import Testing

@Suite struct RequestPlanTests {
  private func failure(_ change: (inout HTTPRequest) -> Void) -> Failure? {
    var request = HTTPRequest(url: "https://a.example/")
    change(&request)
    let checked = request
    return #expect(throws: Failure.self) { try RequestPlan(checked) }
  }

  @Test(arguments: ["CONNECT", "TRACE", "GET /", "", "BREW", "G\u{C9}T"])
  func `an unknown method is refused`(method: String) {
    let failure = failure { $0.method = method }
    #expect(failure?.message == "the request method '\(method)' is not allowed")
  }

  @Test func `a method may be in lower case`() throws {
    var request = HTTPRequest(url: "https://a.example/")
    request.method = "propfind"
    #expect(try RequestPlan(request).method == "PROPFIND")
  }

  @Test(arguments: [
    "Host", "content-length", "Transfer-Encoding", "Connection", "Proxy-Authorization", "TE",
    "Upgrade", "Expect", "Trailer",
  ]) func `a plugin cannot set the headers that the host sets`(name: String) {
    let failure = failure { $0.headers = [HTTPField(name, "x")] }
    #expect(failure?.code == .permission)
    #expect(
      failure?.message
        == "the header \(name) is reserved: only fetchrun may set it")
  }

  @Test(arguments: ["a\r\nHost: b", "a\nb", "a\u{0}b", "a\u{7F}"])
  func `a header's value cannot begin another line`(value: String) {
    let failure = failure { $0.headers = [HTTPField("X-A", value)] }
    #expect(failure?.message == "the value of the header X-A has a control character in it")
    #expect(self.failure { $0.bearerToken = value }?.code == .invalidValue)
    #expect(self.failure { $0.basicAuth = (user: "a:b", password: value) }?.code == .invalidValue)
  }

  @Test(arguments: ["", "a b", "a:b", "ä", "a\r\n"]) func `a header's name must be a token`(
    name: String
  ) {
    #expect(failure { $0.headers = [HTTPField(name, "x")] }?.code == .invalidValue)
  }

  @Test func `the number and size of headers are limited`() {
    #expect(
      failure { $0.headers = Array(repeating: HTTPField("A", "b"), count: 101) }?.message
        == "a request has 101 headers, but at most 100 are allowed")
    let long = String(repeating: "x", count: 8_000)
    #expect(
      failure { $0.headers = [HTTPField("A", long)] }?.message
        == "the header A is longer than 8000 bytes")
  }

  @Test func `a plugin's own condition replaces the host's`() throws {
    var request = HTTPRequest(url: "https://a.example/")
    #expect(try RequestPlan(request).takesValidators)
    request.headers = [HTTPField("If-None-Match", "\"a\"")]
    #expect(try !RequestPlan(request).takesValidators)
    request.headers = [HTTPField("range", "bytes=0-9")]
    #expect(try !RequestPlan(request).takesValidators)
    request.headers = []
    request.method = "POST"
    #expect(try !RequestPlan(request).takesValidators)
  }
}
