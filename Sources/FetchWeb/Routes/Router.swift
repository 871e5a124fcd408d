package import FetchValues

/// The routes of the server, and the search for the route of a request.
package struct Router: Sendable {
  package let routes: [Route]
  private let byCount: [Int: [Int]]

  /// The result of the search for a route.
  package enum Found: Sendable {
    case route(Route, [(name: String, text: String)])
    /// The methods that the address allows, including `OPTIONS`, and including `HEAD` if `GET` is
    /// allowed. The address has no route with the request's method.
    case otherMethods([String])
    case nothing
  }

  package init(_ routes: [Route]) {
    self.routes = routes
    byCount = Dictionary(grouping: routes.indices) { routes[$0].path.parts.count }
  }

  package func find(_ method: String, _ segments: [String]) -> Found {
    let wanted = method == "HEAD" ? "GET" : method
    var best: (route: Route, texts: [(name: String, text: String)])?
    var methods: [String] = []
    for place in byCount[segments.count] ?? [] {
      guard let texts = routes[place].path.match(segments) else { continue }
      methods.append(routes[place].method)
      guard routes[place].method == wanted else { continue }
      if let best, best.route.path.wordCount >= routes[place].path.wordCount { continue }
      best = (routes[place], texts)
    }
    if let best { return .route(best.route, best.texts) }
    if methods.isEmpty { return .nothing }
    if methods.contains("GET") { methods.append("HEAD") }
    return .otherMethods((methods + ["OPTIONS"]).sorted())
  }

  /// Returns the parameters of a request as values. Throws the first problem if a parameter is
  /// unknown, duplicate, missing or invalid. For an invalid parameter in the path, the problem is
  /// `notFound`. Ignores the query if the route has `takesAnyQuery`.
  package static func parameters(
    of route: Route, path texts: [(name: String, text: String)],
    query: [(name: String, value: String)]
  ) throws(WebProblem) -> ValueObject {
    var values = ValueObject()
    for (name, text) in texts {
      guard let parameter = route.parameters.first(where: { $0.name == name }) else {
        values.append(name, .string(text))
        continue
      }
      // An address with an invalid parameter in its path does not exist.
      do throws(WebProblem) { values.append(name, try parameter.read(text)) } catch {
        throw WebProblem(.notFound, 404, error.detail, errors: error.errors)
      }
    }
    let known = route.parameters.filter { $0.place == .query }
    for (name, text) in query where !route.takesAnyQuery {
      guard let parameter = known.first(where: { $0.name.hasSameBytes(as: name) }) else {
        throw unknown(name, among: known.map(\.name))
      }
      guard values[name] == nil else {
        throw invalid(name, "it is given more than once")
      }
      values.append(name, try parameter.read(text))
    }
    for parameter in known where values[parameter.name] == nil {
      if parameter.isRequired { throw invalid(parameter.name, "it is missing") }
      if let usual = parameter.usual { values.append(parameter.name, usual) }
    }
    return values
  }

  private static func unknown(_ name: String, among names: [String]) -> WebProblem {
    let near = NearestName.of(name, among: names)
    let list =
      names.isEmpty
      ? "this address takes no query parameters" : "use " + names.joined(separator: ", ")
    return WebProblem(
      .unknownParameter, 400, "unknown parameter '\(name.prefix(60))': \(list)", hint: near,
      errors: [.init(parameter: name, "it is unknown")])
  }

  private static func invalid(_ name: String, _ what: String) -> WebProblem {
    WebProblem(
      .invalidParameter, 400, "invalid parameter '\(name)': \(what)",
      errors: [.init(parameter: name, what)])
  }
}
