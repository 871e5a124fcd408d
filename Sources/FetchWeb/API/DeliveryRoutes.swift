import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The routes for the deliveries that wait or were given up.
enum DeliveryRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/api/v1/deliveries", needs: .scope(.read),
      parameters: [
        RouteParameter("hook", .name, "only deliveries of this hook"),
        RouteParameter(
          "state", .choice(DeliveryState.allCases.map(\.rawValue)),
          "only deliveries in this state"),
        APIParameters.limit,
      ],
      answer: .lines("Delivery", APIFields.delivery), problems: [.noStore],
      "Returns the deliveries that wait or were given up, sorted by id"
    ) { request, context async throws(WebProblem) in
      let (hook, state, hooks) = (request.text("hook"), request.text("state"), context.hooks)
      let onlyDead = state == DeliveryState.dead.rawValue
      let deliveries = try await context.store.read { view async throws(StoreError) in
        try await view.queries.deliveries(onlyDead: onlyDead, hook: hook.map { HookName($0) }) {
          hooks
        }
      }
      var answer = LineAnswer()
      for delivery in deliveries where request.caller.sees(delivery.job) {
        if let state, delivery.state.rawValue != state { continue }
        guard answer.lines.count < request.limit, answer.add(json: delivery.json) else { break }
      }
      return answer.response(to: request)
    },
    action("retry", .retry, "Makes a delivery due now"),
    action("drop", .drop, "Removes a delivery without another attempt"),
  ]

  private static func action(
    _ word: String, _ action: ControlRequest.DeliveryAction, _ sentence: String
  ) -> Route {
    Route(
      "POST", "/api/v1/deliveries/{id}/\(word)", needs: .scope(.act),
      parameters: [APIParameters.id],
      answer: .object("Delivery", APIFields.delivery),
      problems: [.unknownDelivery, .refused, .noDaemon], sentence
    ) { request, context async throws(WebProblem) in
      let id = request.integer("id") ?? 0
      let found = try await context.store.read { view async throws(StoreError) in
        try await view.reader.deliveries([id]).first
      }
      guard let found, request.caller.sees(found.job) else {
        throw WebProblem(.unknownDelivery, 404, "there is no delivery \(id)")
      }
      return .object(try await context.control.line(.deliveries(action, ids: [id])))
    }
  }
}
