import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The routes for the subscriptions of jobs at WebSub hubs.
enum SubscriptionRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/api/v1/subscriptions", needs: .scope(.read),
      answer: .lines("Subscription", APIFields.subscription), problems: [.noStore],
      "Returns the subscriptions at hubs, without their secrets"
    ) { request, context async throws(WebProblem) in
      let lines = try await lines(context)
      return LineAnswer(lines.filter { sees($0, request) }).response(to: request)
    },
    Route(
      "POST", "/api/v1/subscriptions/{id}/renew", needs: .scope(.act),
      parameters: [
        RouteParameter("id", .positive, in: .path, example: 7, "the id of a subscription")
      ],
      answer: .object("Subscription", APIFields.subscription),
      problems: [.unknownSubscription, .refused, .noDaemon],
      "Asks the hub to renew the subscription"
    ) { request, context async throws(WebProblem) in
      let id = request.integer("id") ?? 0
      let known = try await lines(context)
        .contains { $0["id"]?.integerValue == id && sees($0, request) }
      guard known else {
        throw WebProblem(.unknownSubscription, 404, "there is no subscription \(id)")
      }
      return .object(try await context.control.line(.renew(ids: [id])))
    },
  ]

  private static func sees(_ line: Value, _ request: WebRequest) -> Bool {
    line["job"]?.stringValue.map { request.caller.sees($0) } ?? false
  }

  /// Returns the subscriptions as the daemon has them; without a daemon, as the store has them.
  private static func lines(_ context: WebContext) async throws(WebProblem) -> [Value] {
    do throws(WebProblem) { return try await context.control.lines(.subscriptions) } catch {
      guard error.word == .noDaemon else { throw error }
      return try await context.store.read { view async throws(StoreError) in
        try await view.reader.subscriptions().map(\.line)
      }
    }
  }
}
