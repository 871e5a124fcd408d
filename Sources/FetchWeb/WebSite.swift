import FetchConfig
package import FetchValues

/// The handling of requests. It checks the host, the route, the caller, the parameters and the form
/// of the body, and then calls the route's handler.
package struct WebSite: Sendable {
  package let router: Router
  package let context: WebContext

  package init(_ routes: [Route], _ context: WebContext) {
    router = Router(routes)
    self.context = context
  }

  /// Returns the answer to a request, which may be an error.
  package func answer(_ received: ReceivedRequest) async -> WebResponse {
    let target: RequestTarget
    let host: String
    do throws(WebProblem) {
      host = try checkedHost(received)
      target = try RequestTarget(received.target)
      if let authority = target.authority, authority.asciiLowercased != host {
        throw WebProblem(
          .badRequest, 400, "invalid request: its target and its field Host have different hosts")
      }
    } catch { return error.response }
    switch router.find(received.method, target.segments) {
    case .route(let route, let texts):
      let response: WebResponse
      let begunAt = ContinuousClock.now
      do throws(WebProblem) {
        response = try await answer(received, target, host, route, texts)
      } catch { response = shown(error, on: route.surface) }
      context.metrics.answered(
        route.path.description, code: response.status, in: begunAt.duration(to: .now))
      return response
    case .otherMethods(let methods):
      let allowed = methods.joined(separator: ", ")
      if received.method == "OPTIONS" {
        return WebResponse(204, headers: WebHeaders([("Allow", allowed)]))
      }
      return WebProblem(
        .methodNotAllowed, 405, "\(target.path) does not allow this method: use \(allowed)",
        headers: WebHeaders([("Allow", allowed)])
      ).response
    case .nothing:
      let problem = WebProblem(.notFound, 404, "there is no address \(target.path.prefix(200))")
      let isForPeople = received.headers.all("Accept").contains { $0.contains("text/html") }
      return shown(problem, on: isForPeople ? .page : .api)
    }
  }

  /// Returns the maximum size in bytes of the body of a request with the given method and target.
  package func bodyBytesMax(_ method: String, _ target: String) -> Int {
    guard let target = try? RequestTarget(target),
      case .route(let route, _) = router.find(method, target.segments)
    else { return WebLimits.bodyBytesMax }
    return route.bodyBytesMax
  }

  /// Whether the body of a request with the given method and target is checked as it arrives.
  package func checksBody(_ method: String, _ target: String) -> Bool {
    guard let target = try? RequestTarget(target),
      case .route(let route, _) = router.find(method, target.segments),
      case .checked = route.body
    else { return false }
    return true
  }

  /// Begins the check of a body from the head of its request. Returns nil if the route checks no
  /// body as it arrives, or if the request is invalid. For an invalid request, `answer` returns the
  /// reason.
  package func beginBody(_ received: ReceivedRequest) async -> BodyCheck? {
    guard let host = try? checkedHost(received), let target = try? RequestTarget(received.target),
      case .route(let route, let texts) = router.find(received.method, target.segments)
    else { return nil }
    return try? await beginBody(received, target, host, route, texts)
  }

  private func beginBody(
    _ received: ReceivedRequest, _ target: RequestTarget, _ host: String, _ route: Route,
    _ texts: [(name: String, text: String)]
  ) async throws(WebProblem) -> BodyCheck? {
    guard case .checked(_, let begin) = route.body else { return nil }
    let request = try checked(received, target, host, route, texts)
    return await begin(request, context)
  }

  private func shown(_ problem: WebProblem, on surface: Route.Surface) -> WebResponse {
    surface == .page ? context.errorPage(problem) : problem.response
  }

  private func answer(
    _ received: ReceivedRequest, _ target: RequestTarget, _ host: String, _ route: Route,
    _ texts: [(name: String, text: String)]
  ) async throws(WebProblem) -> WebResponse {
    var request = try checked(received, target, host, route, texts)
    if case .checked = route.body {
      request.check = received.check
      if request.check == nil {
        request.check = try await beginBody(received, target, host, route, texts)
        request.check?.update(received.body)
      }
      request.body = []
    }
    return try await route.handler(request, context)
  }

  private func checked(
    _ received: ReceivedRequest, _ target: RequestTarget, _ host: String, _ route: Route,
    _ texts: [(name: String, text: String)]
  ) throws(WebProblem) -> WebRequest {
    let now = context.now()
    let caller = try admitted(received, target, host, route, now)
    var request = WebRequest(
      method: received.method, target: target, headers: received.headers, body: received.body,
      peer: received.peer, host: host, caller: caller, now: now)
    request.parameters = try Router.parameters(of: route, path: texts, query: target.query)
    try checkBody(received, route)
    return request
  }

  // MARK: Checks

  private func checkedHost(_ received: ReceivedRequest) throws(WebProblem) -> String {
    do throws(HostRule.Problem) {
      return try context.access.hosts.check(received.headers, port: received.port)
    } catch {
      switch error {
      case .missing:
        throw WebProblem(.badRequest, 400, "invalid request: it has no field Host")
      case .repeated:
        throw WebProblem(.badRequest, 400, "invalid request: it has more than one field Host")
      case .invalid:
        throw WebProblem(.badRequest, 400, "invalid request: its field Host is not valid")
      case .unknown(let host):
        let name = URLHostText(host)?.name ?? host
        throw WebProblem(
          .unknownHost, 421,
          "this server does not serve the host '\(host.prefix(255))'; if it is yours, add it to "
            + "the config: `web: { hosts: ['\(name.prefix(255))'] }`")
      }
    }
  }

  private func admitted(
    _ received: ReceivedRequest, _ target: RequestTarget, _ host: String, _ route: Route,
    _ now: Timestamp
  ) throws(WebProblem) -> Caller {
    if route.need == .capability { return .anonymous }
    let access = context.access
    var caller = try allowed(route) { () throws(WebAccess.Denial) in
      try access.caller(received.headers, peer: received.peer, host: host, now: now)
    }
    if route.takesTokenInAddress, caller.kind == .anonymous,
      let token = target.query.first(where: { $0.name == "token" })?.value
    {
      caller = try allowed(route) { () throws(WebAccess.Denial) in
        try access.feedCaller(token: token, peer: received.peer, now: now)
      }
    }
    try allowed(route) { () throws(WebAccess.Denial) in try access.note(caller, now: now) }
    try checkScope(of: caller, route)
    if route.needsFormToken, !["GET", "HEAD"].contains(received.method) {
      let token =
        received.headers.only("X-Form-Token") ?? FormFields(received)?["form"]
      try allowed(route) { () throws(WebAccess.Denial) in
        try access.checkForm(received.headers, formToken: token, caller: caller, host: host)
      }
    }
    return caller
  }

  private func allowed<Result>(
    _ route: Route, _ body: () throws(WebAccess.Denial) -> Result
  ) throws(WebProblem) -> Result {
    do throws(WebAccess.Denial) { return try body() } catch {
      throw error.webProblem(needing: route.need.scope ?? .read)
    }
  }

  private func checkScope(of caller: Caller, _ route: Route) throws(WebProblem) {
    if case .scopeUnlessOpen(_, let part) = route.need,
      context.access.settings.anonymous.contains(part)
    {
      return
    }
    guard let scope = route.need.scope, !caller.may(scope) else { return }
    if caller.kind == .anonymous {
      throw WebAccess.Denial.invalid.webProblem(needing: scope)
    }
    let name = if case .token(let name) = caller.kind { "the token '\(name)'" } else { "the user" }
    throw WebProblem(
      .missingScope, 403,
      "\(name) lacks the scope '\(scope.rawValue)'; create a token with this scope:"
        + " `fetchrun token add NAME --scope \(scope.rawValue)`")
  }

  private func checkBody(_ received: ReceivedRequest, _ route: Route) throws(WebProblem) {
    switch route.body {
    case .none:
      guard received.body.isEmpty else {
        throw WebProblem(.invalidBody, 400, "a request to this address must have no body")
      }
    case .json:
      let type = received.headers.only("Content-Type") ?? ""
      guard type.prefix(while: { $0 != ";" }).trimmingHTTPSpace.asciiLowercased == WebMedia.json
      else {
        throw WebProblem(.unsupportedType, 415, "the body must be JSON, of type application/json")
      }
    case .form:
      if received.body.isEmpty { return }
      guard FormFields.isForm(received.headers.only("Content-Type")) else {
        throw WebProblem(
          .unsupportedType, 415,
          "the body must be a form, of type application/x-www-form-urlencoded")
      }
      guard FormFields(received) != nil else {
        throw WebProblem(
          .invalidBody, 400,
          "the body is not a valid form: it must be UTF-8, without duplicate fields and with at"
            + " most \(FormFields.fieldsMax) fields")
      }
    case .any, .checked: break
    }
  }
}

extension Route.Need {
  /// The scope that a caller needs; nil if no scope is needed. The config may open the route to
  /// everyone: see `scopeUnlessOpen`.
  fileprivate var scope: Scope? {
    switch self {
    case .nothing, .capability: nil
    case .scope(let scope), .scopeUnlessOpen(let scope, _): scope
    }
  }
}

extension Route {
  /// Whether a client may send its token in the address. The routes of feeds with the parameter
  /// `token` allow this, because many feed readers cannot send header fields.
  fileprivate var takesTokenInAddress: Bool {
    switch need {
    case .scope(.feed), .scopeUnlessOpen(.feed, _): parameters.contains { $0.name == "token" }
    default: false
    }
  }
}

extension ConnectionService {
  /// Creates the functions that a connection needs from the site.
  package init(_ site: WebSite, now: @escaping @Sendable () -> Timestamp) {
    self.init(
      answer: { await site.answer($0) }, bodyBytesMax: { site.bodyBytesMax($0, $1) },
      checksBody: { site.checksBody($0, $1) }, beginBody: { await site.beginBody($0) }, now: now)
  }
}
