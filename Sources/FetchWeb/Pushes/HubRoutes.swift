import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The callbacks of subscriptions, to which WebSub hubs send verifications, denials and messages
/// about news. The body of a message about news is used only to check its signature.
enum HubRoutes {
  static let all = [verify, push]

  private static let parameter = RouteParameter(
    "capability", .text(scalarsMax: 100), in: .path,
    "the unguessable part of the address that the daemon gave the hub")
  /// The maximum size of a hub's message in bytes. Some hubs send the whole feed.
  static let bytesMax = 1 << 20

  static let verify = Route(
    "GET", Subscription.callbackPath + "{capability}", .other, needs: .capability,
    parameters: [parameter], takesAnyQuery: true,
    answer: .text(WebMedia.text), problems: [.notFound, .refused, .noStore, .noDaemon],
    "Receives the message with which a hub verifies or denies a subscription"
  ) { request, context async throws(WebProblem) in
    guard request.method == "GET", let subscription = try await subscription(request, context)
    else {
      throw context.access.unknownAddress(request.peer, now: request.now)
    }
    switch subscription.verification(request.target.query, now: request.now) {
    case .verified(let challenge, let leaseSeconds):
      try await tell(.verified(leaseSeconds: leaseSeconds), subscription, context)
      // The challenge is text from an unknown sender, so the media type must keep browsers from
      // showing it as a page.
      return WebResponse(200, type: WebMedia.text, challenge)
    case .denied(let reason):
      try await tell(.denied(reason: reason), subscription, context)
      return WebResponse(200, type: WebMedia.text, "")
    case .unknown:
      throw WebProblem(.notFound, 404, "no current subscription request matches this message")
    }
  }

  static let push = Route(
    "POST", Subscription.callbackPath + "{capability}", .other, needs: .capability,
    parameters: [parameter], takesAnyQuery: true, body: .checked(bytesMax: bytesMax, begin),
    answer: .object("Trigger", APIFields.trigger, status: 202),
    problems: [.notFound, .wrongSignature, .gone, .refused, .noStore, .noDaemon],
    "Reports that the topic of a subscription has changed; the hub must sign the request"
  ) { request, context async throws(WebProblem) in
    guard let check = request.check, let id = check.subscription else {
      throw context.access.unknownAddress(request.peer, now: request.now)
    }
    if let problem = check.problem { throw problem }
    guard let signature = check.signature, signature.isRight else {
      context.metrics.pushed("websub", "refused")
      throw WebProblem(
        .wrongSignature, 403,
        "the field X-Hub-Signature is missing or wrong, so the push is ignored")
    }
    let line = try await context.control.line(.subscription(id: id, .pushed))
    context.metrics.pushed("websub", line["answer"]?.stringValue ?? "due")
    return .object(line, status: 202)
  }

  /// Begins the check of a hub's message. An unknown callback of valid form and a wrong signature
  /// cost the same: a read of the store, and a hash of the whole body.
  private static let begin: BodyCheckStart = { request, context in
    var check = BodyCheck()
    var key = Array("no secret".utf8)
    do throws(WebProblem) {
      if let subscription = try await subscription(request, context) {
        check.subscription = subscription.id
        key = subscription.signatureKey
        if subscription.state == .ended {
          check.problem = WebProblem(.gone, 410, "this subscription has ended")
        }
      }
    } catch {
      // If the store cannot be read, the hub must send its message again. The answer must therefore
      // not say that the callback is unknown.
      check.subscription = 0
      check.problem = error
    }
    check.signature = .hub(request.headers.all("X-Hub-Signature"), key: key)
    return check
  }

  private static func subscription(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> Subscription? {
    let text = Array((request.text("capability") ?? "").utf8)
    guard text.count == 22,
      let capability = text.withUnsafeBytes({ Base64.decode($0, strict: false) }),
      capability.count == Subscription.capabilityBytes
    else { return nil }
    return try await context.store.read { view async throws(StoreError) in
      try await view.reader.subscription(capability: capability)
    }
  }

  private static func tell(
    _ message: HubMessage, _ subscription: Subscription, _ context: WebContext
  ) async throws(WebProblem) {
    _ = try await context.control.lines(.subscription(id: subscription.id, message))
  }
}
