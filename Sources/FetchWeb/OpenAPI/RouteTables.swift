import FetchConfig

/// The tables of the reference page: the addresses, and the kinds of problems.
package enum RouteTables {
  /// Returns the tables of addresses and problems as Markdown.
  ///
  /// - Parameter routes: the routes of the server. The routes of pages are left out.
  package static func markdown(of routes: [Route]) -> String {
    let routes = routes.filter { $0.surface != .page }
    let addresses = ["| address | scope | parameters | what |", "|---|---|---|---|"]
    let lists = routes.map { route in
      "| `\(route.method) \(route.path)` | \(need(route.need)) | \(parameters(route)) "
        + "| \(route.sentence) |"
    }
    let words = ["| word | status | title |", "|---|--:|---|"]
    let problems = WebProblem.Word.allCases.map { word in
      "| `\(word.rawValue)` | \(word.usualStatus) | \(word.title) |"
    }
    return "## Addresses\n\n" + (addresses + lists).joined(separator: "\n") + "\n\n## Problems\n\n"
      + (words + problems).joined(separator: "\n") + "\n"
  }

  private static func need(_ need: Route.Need) -> String {
    switch need {
    case .nothing: ""
    case .capability: "the address"
    case .scope(let scope): scope.rawValue
    case .scopeUnlessOpen(let scope, let part):
      "\(scope.rawValue), or none if `web.anonymous` has `\(part.rawValue)`"
    }
  }

  private static func parameters(_ route: Route) -> String {
    route.parameters.map { parameter in
      "`\(parameter.name)`: \(parameter.sentence)\(bounds(parameter))"
    }.joined(separator: "; ")
  }

  private static func bounds(_ parameter: RouteParameter) -> String {
    switch parameter.kind {
    case .choice(let words), .words(let words): " (\(words.joined(separator: ", ")))"
    case .integer(let range) where range.upperBound < 1 << 40:
      " (\(range.lowerBound) to \(range.upperBound))"
    default: ""
    }
  }
}
