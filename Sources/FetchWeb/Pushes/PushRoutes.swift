import FetchEngine
import FetchModel
import FetchValues

/// The address to which other services send a push for a job. The body of a push is used only to
/// check its signature.
enum PushRoutes {
  static let all = [push]

  static let pathStart = "/push/"
  /// The maximum size of a push in bytes. GitHub sends at most 25 MB.
  static let bytesMax = 25 << 20

  static let push = Route(
    "POST", "/push/{capability}", .other, needs: .capability,
    parameters: [
      RouteParameter(
        "capability", .text(scalarsMax: 100), in: .path,
        "the unguessable part of the address that `fetchrun push --address` printed")
    ],
    body: .checked(bytesMax: bytesMax, begin),
    answer: .object("Trigger", APIFields.trigger, status: 202),
    problems: [.wrongSignature, .notFound, .unknownJob, .refused, .noDaemon, .internalError],
    "Reports that the source of a job may have new data; the push must be signed if the job"
      + " has `push.secret`"
  ) { request, context async throws(WebProblem) in
    try await accept(request, context)
  }

  /// Begins the check of a push. An unknown address and a wrong signature cost the same: a request
  /// to the daemon, and a hash of the whole body.
  private static let begin: BodyCheckStart = { request, context in
    var check = BodyCheck()
    do throws(WebProblem) {
      check.job = try context.access.pushedJob(request.text("capability") ?? "")
      // For an unknown address, the request has the empty name, which no job of a config has.
      let line = try await context.control.line(.pushRule(job: check.job ?? .unnamed))
      guard let rule = PushRuleLine(line) else { throw WebProblem.unreadable }
      switch rule.signature {
      case nil: break
      case .github:
        check.signature = .github(request.headers.all("X-Hub-Signature-256"), key: rule.key)
      case .standardWebhooks: try begin(&check, rule, request)
      }
    } catch {
      check.problem = error
      check.signature = .github([], key: Array("no secret".utf8))
    }
    return check
  }

  private static func begin(
    _ check: inout BodyCheck, _ rule: PushRuleLine, _ request: WebRequest
  ) throws(WebProblem) {
    let headers = request.headers
    do throws(WebhookTime.Problem) {
      let time = try WebhookTime(
        ids: headers.all("webhook-id"), timestamps: headers.all("webhook-timestamp"),
        now: request.now)
      check.id = time.id
      check.signature = .standardWebhook(
        id: time.id, timestamp: time.timestamp, headers.all("webhook-signature"), key: rule.key)
    } catch .stale {
      throw WebProblem(
        .wrongSignature, 403,
        "the time of the push differs by more than five minutes from the server's time; check both"
          + " clocks"
      )
    } catch {
      throw WebProblem(
        .wrongSignature, 403,
        "the push needs one valid field webhook-id and one valid field webhook-timestamp")
    }
  }

  private static func accept(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> WebResponse {
    // If the address could not be looked up, the sender must push again. The answer must therefore
    // not say that the address is unknown.
    if let problem = request.check?.problem, problem.word != .unknownJob { throw problem }
    guard let check = request.check, let job = check.job else {
      throw context.access.unknownAddress(request.peer, now: request.now)
    }
    if let problem = check.problem { throw problem }
    if let signature = check.signature, !signature.isRight {
      context.metrics.pushed("address", "refused")
      throw WebProblem(
        .wrongSignature, 403,
        signature.isSigned
          ? "the signature of the push is wrong: the sender must use the secret in `push.secret`"
          : "the push has no usable signature: sign it with the secret in `push.secret`")
    }
    if let id = check.id {
      switch context.acceptedPushes.take(id, of: job, now: request.now) {
      case .new: break
      case .repeated:
        return .object(
          [
            "job": .string(job.text), "answer": "skipped",
            "why": "this webhook-id was received before",
          ],
          status: 202)
      case .full:
        throw WebProblem(
          .tooManyRequests, 429,
          "too many signed pushes for this job within ten minutes; try again later",
          headers: WebHeaders([("Retry-After", "60")]))
      }
    }
    do throws(WebProblem) {
      let line = try await context.control.line(.push(jobs: [job]))
      context.metrics.pushed("address", line["answer"]?.stringValue ?? "due")
      return .object(line, status: 202)
    } catch {
      if let id = check.id { context.acceptedPushes.giveBack(id, of: job) }
      throw error
    }
  }
}

extension WebAccess {
  /// Returns the job whose push address ends with the given capability; nil if there is no such
  /// job. Throws if `web.json` cannot be read.
  func pushedJob(_ capability: String) throws(WebProblem) -> JobName? {
    let hash = AccessSecret.hash(capability)
    let addresses: [PushAddress]
    do throws(AccessFileError) { addresses = try file.records().pushAddresses } catch {
      throw WebProblem(.internalError, 500, error.description)
    }
    return addresses.first { ConstantTime.areEqual($0.hash, hash) }?.job
  }

  /// Counts a request to an unknown address as a failed attempt. Returns the problem
  /// `tooManyRequests` if the client has made too many attempts, otherwise `notFound`.
  func unknownAddress(_ peer: WebPeer, now: Timestamp) -> WebProblem {
    let denial = noteFailure(peer, now: now)
    if case .tooMany = denial { return denial.webProblem() }
    return WebProblem(.notFound, 404, "there is no such address")
  }
}
