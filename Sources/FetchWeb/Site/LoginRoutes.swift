/// The addresses by which browsers log in and out.
enum LoginRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/login", .page, needs: .nothing,
      parameters: [
        RouteParameter(
          "code", .text(scalarsMax: 100), "the code in the address that `fetchrun web` prints")
      ],
      answer: .either(.text(WebMedia.text, status: 303), .text(WebMedia.html)),
      "Logs a browser in with a code that works once; without a code, shows how to get one"
    ) { request, context async throws(WebProblem) in
      guard let code = request.text("code") else { return .page(LoginPage().html) }
      // A HEAD request must not use up the code.
      guard request.method == "GET" else { return WebResponse(303, headers: home) }
      return try logIn(code: code, request, context)
    },
    Route(
      // The login page has no form token, because it is for browsers without a login.
      "POST", "/login", .page, needs: .nothing, body: .form, needsFormToken: false,
      answer: .text(WebMedia.text, status: 303), "Logs a browser in with a code from a form"
    ) { request, context async throws(WebProblem) in
      do throws(WebAccess.Denial) {
        try context.access.checkOrigin(request.headers, host: request.host)
      } catch { throw error.webProblem() }
      // A browser that is already logged in keeps its login, which has the marks of seen items.
      if request.caller.isBrowser { return WebResponse(303, headers: home) }
      return try logIn(code: FormFields(request)?["code"] ?? "", request, context)
    },
    Route(
      "POST", "/logout", .page, needs: .nothing, body: .form,
      answer: .text(WebMedia.text, status: 303), "Ends the login of a browser"
    ) { request, context async throws(WebProblem) in
      do throws(WebAccess.Denial) {
        // A form of another site comes without the cookie, so the caller does not count as a
        // browser, whose origin is always checked.
        try context.access.checkOrigin(request.headers, host: request.host)
        let cookie = try context.access.logOut(request.caller, host: request.host)
        let response = WebResponse(303, headers: home)
        return cookie.map { response.adding("Set-Cookie", $0) } ?? response
      } catch { throw error.webProblem() }
    },
  ]

  private static func logIn(
    code: String, _ request: WebRequest, _ context: WebContext
  ) throws(WebProblem) -> WebResponse {
    do throws(WebAccess.Denial) {
      let cookie = try context.access.logIn(
        code: code, host: request.host, peer: request.peer, now: request.now)
      return WebResponse(303, headers: home).adding("Set-Cookie", cookie)
    } catch .invalid {
      throw WebProblem(
        .noAccess, 403,
        "this code is unknown, was used or is older than five minutes; `fetchrun web` prints a new"
          + " address")
    } catch { throw error.webProblem() }
  }

  private static let home = WebHeaders([("Location", "/")])
}
