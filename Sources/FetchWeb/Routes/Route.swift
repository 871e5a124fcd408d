package import FetchConfig

/// One route of the server: a method with a path. The router, the parameter checks, the OpenAPI
/// document and the reference page are all made from the routes.
package struct Route: Sendable {
  /// The condition under which a caller may use the route.
  package enum Need: Hashable, Sendable {
    /// No scope is needed.
    case nothing
    /// The unguessable part of the path, which the caller must know. Tokens and cookies are
    /// ignored, because other services send these requests, with header fields of their own.
    case capability
    case scope(Scope)
    /// The given scope, or no scope if the config opens the given part of the server to everyone.
    case scopeUnlessOpen(Scope, WebSettings.Open)
  }

  /// The audience of the route, which determines the form of errors.
  package enum Surface: Sendable {
    /// Programs. The route is documented as part of the API.
    case api
    /// People. Errors are pages.
    case page
    /// Programs and browsers. The route is outside the API, for example for health, metrics, feeds,
    /// pushes or the files of the pages.
    case other
  }

  /// The body that a request may have.
  package enum Body: Sendable {
    case none
    /// A JSON object with these members.
    case json([RouteField])
    /// The fields of a form on a page of this server.
    case form
    /// Any bytes, up to the given number.
    case any(bytesMax: Int)
    /// Any bytes up to the given number, which are checked as they arrive and are not kept. The
    /// function begins the check from the request's head.
    case checked(bytesMax: Int, BodyCheckStart)
  }

  package typealias Handler =
    @Sendable (WebRequest, WebContext) async throws(WebProblem) -> WebResponse

  package var method: String
  package var path: RoutePath
  package var surface: Surface
  package var need: Need
  package var parameters: [RouteParameter]
  /// Whether the query may have any parameters. If true, the query is not checked, and
  /// `WebRequest.parameters` has no parameters of the query.
  package var takesAnyQuery: Bool
  package var body: Body
  /// Whether a browser must send the token of its form with a request that changes something. If
  /// false, the handler checks the origin of the request.
  package var needsFormToken: Bool
  package var answer: RouteAnswer
  /// The problems of this route, in addition to those of all routes.
  package var problems: [WebProblem.Word]
  /// A sentence about the route, without a full stop.
  package var sentence: String
  package var handler: Handler

  package init(
    _ method: String, _ path: String, _ surface: Surface = .api, needs need: Need,
    parameters: [RouteParameter] = [], takesAnyQuery: Bool = false, body: Body = .none,
    needsFormToken: Bool = true, answer: RouteAnswer,
    problems: [WebProblem.Word] = [], _ sentence: String, handler: @escaping Handler
  ) {
    self.method = method
    self.path = RoutePath(path)
    self.surface = surface
    self.need = need
    self.parameters = parameters
    self.takesAnyQuery = takesAnyQuery
    self.body = body
    self.needsFormToken = needsFormToken
    self.answer = answer
    self.problems = problems
    self.sentence = sentence
    self.handler = handler
  }

  package var bodyBytesMax: Int {
    switch body {
    case .none, .json, .form: WebLimits.bodyBytesMax
    case .any(let bytesMax), .checked(let bytesMax, _): bytesMax
    }
  }
}

/// A function that begins the check of a body from the head of its request.
package typealias BodyCheckStart = @Sendable (WebRequest, WebContext) async -> BodyCheck

/// One member of the JSON object in a line, in an answer or in the body of a request.
package struct RouteField: Sendable {
  package indirect enum Kind: Sendable {
    case text, integer, number, flag, time
    /// A string with the given number of hexadecimal digits.
    case digits(Int)
    /// An object whose members are not listed.
    case object
    case fields([RouteField])
    case list(Kind)
    case choice([String])
    /// Any JSON value.
    case any
  }

  package var name: String
  package var kind: Kind
  package var isNullable: Bool
  /// Whether the member may be missing.
  package var isOptional: Bool

  package init(
    _ name: String, _ kind: Kind, isNullable: Bool = false, isOptional: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.isNullable = isNullable
    self.isOptional = isOptional
  }
}

/// The form of a successful answer.
package indirect enum RouteAnswer: Sendable {
  /// A list of lines, as an object with `data` and `next` or as JSON lines.
  case lines(String, [RouteField], status: Int = 200)
  /// One object.
  case object(String, [RouteField], status: Int = 200)
  /// Text of the given media type.
  case text(String, status: Int = 200)
  /// One of two forms. The client's `Accept` header or the result of the request decides which.
  case either(RouteAnswer, RouteAnswer)

  package var status: Int {
    switch self {
    case .lines(_, _, let status), .object(_, _, let status), .text(_, let status): status
    case .either(let first, _): first.status
    }
  }
}
