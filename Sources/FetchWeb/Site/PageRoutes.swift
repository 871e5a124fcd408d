import FetchEngine
import FetchModel
import FetchValues

/// The routes of the pages, their forms and their files.
enum PageRoutes {
  static let all: [Route] = views + PageActions.all + files

  /// Returns the page that shows an error. Returns the login page for `noAccess`.
  @Sendable static func errorPage(_ problem: WebProblem) -> WebResponse {
    var response: WebResponse
    if problem.word == .noAccess {
      let isFirst = problem.status == 401
      response = .page(
        LoginPage(problem: isFirst ? nil : problem.detail).html, status: problem.status)
    } else {
      let frame = PageFrame(
        now: Timestamp(milliseconds: 0),
        viewer: Viewer(name: "", acts: false, grants: false, formToken: ""),
        address: LocalAddress())
      response = .page(
        ErrorPage(status: problem.status, sentence: problem.word.title, hint: problem.detail)
          .html(frame), status: problem.status)
    }
    for (name, value) in problem.headers.fields { response.headers.set(name, value) }
    return response
  }

  private static let notice = RouteParameter(
    "notice", .choice(PageNotice.allCases.map(\.rawValue)),
    "the result of a form, which the page shows")
  private static let before = RouteParameter(
    "before", .positive, "the number in the link 'Next' of the previous page")

  private static let rows = RouteParameter(
    "rows", .choice(PageSizes.counts.map { "\($0)" }), "the maximum number of rows on the page")

  private static func view(
    _ path: String, needs scope: Scope = .read, parameters: [RouteParameter] = [],
    _ sentence: String,
    load: @escaping @Sendable (WebRequest, WebContext) async throws(WebProblem) -> Rendering
  ) -> Route {
    Route(
      "GET", path, .page, needs: .scope(scope), parameters: parameters + [notice],
      answer: .text(WebMedia.html), sentence
    ) { request, context async throws(WebProblem) in
      let render = try await load(request, context)
      return .page(render(await PageFrame.load(request, context)))
    }
  }

  /// A function that renders a page from the data that was read for the page.
  private typealias Rendering = (PageFrame) -> HTML

  private static let views: [Route] = [
    view(
      "/",
      parameters: [
        RouteParameter(
          "show", .choice(OverviewPage.Filter.allCases.map(\.rawValue)), "the jobs to show"),
        RouteParameter(
          "match", .name,
          "only jobs whose name contains this text or matches this pattern, such as `news*`"),
        RouteParameter("after", .name, "the place where the previous page ended: a job's name"),
        rows,
      ], "Shows whether any job is failing, and lists the jobs"
    ) { request, context async throws(WebProblem) in
      try await OverviewPage.load(request, context).html
    },
    view("/jobs/{job}", parameters: [APIParameters.job], "Shows a job") {
      request, context async throws(WebProblem) in try await JobPage.load(request, context).html
    },
    view("/jobs/{job}/permissions", parameters: [APIParameters.job], "Shows a job's permissions") {
      request, context async throws(WebProblem) in
      try await PermissionsPage.load(request, context).html
    },
    view(
      "/items", parameters: [APIParameters.ofJob, before, rows], "Shows the items, newest first"
    ) {
      request, context async throws(WebProblem) in try await ItemsPage.load(request, context).html
    },
    view(
      "/items/{sequence}",
      parameters: [
        RouteParameter("sequence", .positive, in: .path, "sequence number of the change")
      ],
      "Shows an item"
    ) { request, context async throws(WebProblem) in try await ItemPage.load(request, context).html
    },
    view(
      "/runs",
      parameters: [
        APIParameters.ofJob,
        RouteParameter("outcome", .choice(APIFields.outcomes), "only runs with this outcome"),
        before, rows,
      ], "Shows the ended runs, newest first"
    ) { request, context async throws(WebProblem) in try await RunsPage.load(request, context).html
    },
    view(
      "/runs/{run}",
      parameters: [RouteParameter("run", .text(scalarsMax: 36), in: .path, "id of a run")],
      "Shows a run"
    ) { request, context async throws(WebProblem) in try await RunPage.load(request, context).html
    },
    view("/budget", "Shows the budget and the lanes") { request, context async throws(WebProblem) in
      try await BudgetPage.load(request, context).html
    },
    view(
      "/deliveries",
      parameters: [
        RouteParameter("state", .choice(["pending", "dead"]), "only deliveries in this state")
      ],
      "Shows the deliveries"
    ) { request, context async throws(WebProblem) in
      try await DeliveriesPage.load(request, context).html
    },
    view("/transfers", "Shows the transfers") { request, context async throws(WebProblem) in
      try await TransfersPage.load(request, context).html
    },
    view("/tokens", needs: .grant, "Shows the tokens, without their secrets") {
      request, context async throws(WebProblem) in try TokensPage.load(request, context).html
    },
    view("/about", "Shows the version, the state of the installation, and the shortcuts") {
      request, context async throws(WebProblem) in await AboutPage.load(request, context).html
    },
  ]

  // MARK: Files

  /// The files of the pages. Browsers may keep them for a year, because the address of a file
  /// changes with its content.
  private static let files: [Route] = [
    Route(
      "GET", "/assets/{name}", .other, needs: .nothing,
      parameters: [RouteParameter("name", .text(scalarsMax: 100), in: .path, "name of a file")],
      answer: .text("text/css"), "Returns a file that the pages use"
    ) { request, _ async throws(WebProblem) in
      let name = request.text("name") ?? ""
      guard let file = Assets.all.first(where: { $0.name.hasSameBytes(as: name) }) else {
        throw WebProblem(.notFound, 404, "there is no address \(request.target.path.prefix(200))")
      }
      return WebResponse(type: file.type, file.bytes)
        .adding("Cache-Control", "public, max-age=31536000, immutable")
    }
  ]
}

extension WebResponse {
  /// The content security policy of pages: only files of this server, no inline scripts or styles,
  /// and no frames.
  private static let pagePolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    + "require-trusted-types-for 'script'; trusted-types 'none'"

  static func page(_ html: HTML, status: Int = 200) -> WebResponse {
    WebResponse(status, type: WebMedia.html, html.bytes)
      .adding("Content-Security-Policy", pagePolicy)
      // Under no-referrer, browsers send `Origin: null` with forms (Fetch, 3.2), and the check of
      // the origin refuses such forms. Under same-origin, other sites still receive no referrer.
      .adding("Referrer-Policy", "same-origin")
  }
}
