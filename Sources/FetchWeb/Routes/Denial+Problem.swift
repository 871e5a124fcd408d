import FetchValues

extension WebAccess.Denial {
  /// Returns the problem for the client.
  ///
  /// - Parameter scope: the scope that the message suggests for a new token.
  func webProblem(needing scope: Scope = .read) -> WebProblem {
    switch self {
    case .invalid:
      WebProblem(
        .noAccess, 401,
        "no valid token: create one with `fetchrun token add NAME --scope \(scope.rawValue)`, and"
          + " send it as `Authorization: Bearer TOKEN`; for a browser, `fetchrun web` prints an"
          + " address that logs it in",
        headers: WebHeaders([("WWW-Authenticate", "Bearer realm=\"fetchrun\"")]))
    case .otherUser:
      WebProblem(.noAccess, 403, "only the daemon's user and root may use this socket")
    case .tooMany(let wait):
      WebProblem(
        .tooManyRequests, 429, "too many requests or failed attempts; try again later",
        headers: WebHeaders([("Retry-After", "\(max(1, wait.components.seconds + 1))")]))
    case .otherSite(let what):
      WebProblem(.notSameOrigin, 403, "the request may come from another site: \(what)")
    case .unreadable(let message): WebProblem(.internalError, 500, message)
    }
  }
}
