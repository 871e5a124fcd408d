import FetchValues
import Testing

@testable import FetchWeb

@Suite struct RouterTests {
  @Test(
    arguments: [
      ("/", [""], []), ("/a/b", ["a", "b"], []), ("/a%2Fb/c", ["a/b", "c"], []),
      ("/a/", ["a", ""], []), ("/%C3%A4?x=1&y=%2B+z", ["ä"], ["x=1", "y=+ z"]),
      ("/a?", ["a"], []), ("/a?b", ["a"], ["b="]), ("http://h:1/a?b=c", ["a"], ["b=c"]),
      ("http://h", [""], []), ("http://h?b=/c", [""], ["b=/c"]),
      ("/a?b=c?d", ["a"], ["b=c?d"]), ("//a", ["", "a"], []),
      ("/../a", ["..", "a"], []),
    ] as [(String, [String], [String])])
  func `a target has segments and a query`(
    text: String, segments: [String], query: [String]
  ) throws {
    let target = try RequestTarget(text)
    #expect(target.segments == segments)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test(arguments: [
    "", "*", "a", "/a#b", "/%", "/%4", "/%zz", "/%00", "/%FF", "/a?b=%", "/a?b=%C3", "ftp://h/",
    "http://h#a",
  ]) func `another target is invalid`(text: String) {
    #expect(throws: WebProblem.self) { try RequestTarget(text) }
  }

  @Test(arguments: ["http://h:1", "http://h:1/", "http://h:1?b=/c", "HTTP://h:1/a?b"])
  func `an absolute target has the authority before its path and query`(text: String) throws {
    #expect(try RequestTarget(text).authority == "h:1")
  }

  @Test func `too many parameters are invalid`() {
    let query = (0..<65).map { "a\($0)=1" }.joined(separator: "&")
    #expect(throws: WebProblem.self) { try RequestTarget("/?\(query)") }
  }

  @Test func `a word is meant before a parameter`() throws {
    let router = Router([Self.route("GET", "/a/{x}"), Self.route("GET", "/a/b")])
    guard case .route(let route, _) = router.find("GET", ["a", "b"]) else {
      return #expect(Bool(false), "no route")
    }
    #expect(route.path.description == "/a/b")
  }

  @Test func `other methods are named`() {
    let router = Router([Self.route("GET", "/a"), Self.route("POST", "/a")])
    guard case .otherMethods(let methods) = router.find("DELETE", ["a"]) else {
      return #expect(Bool(false), "no methods")
    }
    #expect(methods == ["GET", "HEAD", "OPTIONS", "POST"])
  }

  @Test func `every route has its parameters, and no two have the same address`() {
    var seen: Set<String> = []
    for route in WebRoutes.all {
      let inPath = route.parameters.filter { $0.place == .path }.map(\.name)
      #expect(Set(inPath) == Set(route.path.parameterNames), "\(route.path)")
      #expect(Set(route.parameters.map(\.name)).count == route.parameters.count)
      #expect(seen.insert("\(route.method) \(route.path)").inserted)
      #expect(route.sentence.first?.isUppercase == true)
      #expect(!route.sentence.hasSuffix("."))
    }
  }

  private static func route(_ method: String, _ path: String) -> Route {
    Route(method, path, needs: .nothing, answer: .text(WebMedia.text), "Answers") { _, _ in
      WebResponse(200)
    }
  }

  private static let route = Route(
    "GET", "/a/{id}", needs: .nothing,
    parameters: [
      RouteParameter("id", .positive, in: .path, "its id"),
      RouteParameter("limit", .integer(1...1_000), usual: 100, "the most"),
      RouteParameter("state", .choice(["running", "paused"]), "its state"),
      RouteParameter("failing", .flag, "whether it fails"),
      RouteParameter("job", .text(scalarsMax: 5), "its job"),
    ], answer: .text(WebMedia.text), "Answers"
  ) { _, _ in WebResponse(200) }

  @Test func `parameters are values of their kind`() throws {
    let values = try Router.parameters(
      of: Self.route, path: [("id", "7")],
      query: [("state", "paused"), ("failing", "true"), ("job", "ä")])
    #expect(values["id"] == 7)
    #expect(values["limit"] == 100)
    #expect(values["state"] == "paused")
    #expect(values["failing"] == true)
    #expect(values["job"] == "ä")
  }

  @Test(arguments: [
    ("limit", "0", 400), ("limit", "1001", 400), ("limit", "-1", 400), ("limit", "+1", 400),
    ("limit", "1.0", 400), ("limit", "01", 400), ("limit", "", 400), ("limit", " 1", 400),
    ("limit", "99999999999999999999", 400), ("limit", "１", 400), ("state", "Paused", 400),
    ("state", "", 400), ("failing", "1", 400), ("job", "", 400), ("job", "abcdef", 400),
    ("nothing", "1", 400), ("id", "7", 400),
  ]) func `an invalid parameter is refused`(name: String, text: String, status: Int) {
    do {
      _ = try Router.parameters(of: Self.route, path: [("id", "7")], query: [(name, text)])
      #expect(Bool(false), "\(name)=\(text) passed")
    } catch { #expect(error.status == status) }
  }

  @Test func `a repeated parameter is refused`() {
    #expect(throws: WebProblem.self) {
      try Router.parameters(
        of: Self.route, path: [("id", "7")], query: [("limit", "1"), ("limit", "2")])
    }
  }

  @Test func `an invalid path does not exist`() {
    do {
      _ = try Router.parameters(of: Self.route, path: [("id", "x")], query: [])
      #expect(Bool(false))
    } catch { #expect(error.status == 404) }
  }

  @Test func `a misspelt parameter has a hint`() {
    do {
      _ = try Router.parameters(of: Self.route, path: [("id", "7")], query: [("limt", "1")])
      #expect(Bool(false))
    } catch {
      #expect(error.hint == "limit")
      #expect(error.word == .unknownParameter)
    }
  }
}
