import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The routes for the transfers of jobs.
enum TransferRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/api/v1/transfers", needs: .scope(.read),
      parameters: [
        APIParameters.ofJob,
        RouteParameter(
          "state", .choice(TransferState.allCases.map(\.rawValue)), "only transfers in this state"),
        APIParameters.limit,
      ],
      answer: .lines("Transfer", APIFields.transfer), problems: [.unknownJob, .noStore],
      "Returns the pending downloads, then the ended ones, the latest first"
    ) { request, context async throws(WebProblem) in
      let job = try request.seenJob()
      let limit = request.limit
      let records = try await context.store.read { view async throws(StoreError) in
        if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
        return try await view.queries.transfers(job: job, endedLimit: limit)
      }
      let state = request.text("state")
      var answer = LineAnswer()
      for record in records where request.caller.sees(record.job) {
        if let state, record.state.rawValue != state { continue }
        guard answer.lines.count < limit, answer.add(json: record.json) else { break }
      }
      return answer.response(to: request)
    },
    action("cancel", .cancel, "Cancels a download; it leaves no file"),
    action("retry", .retry, "Makes a waiting or failed download due now"),
  ]

  private static func action(
    _ word: String, _ action: ControlRequest.TransferCommand, _ sentence: String
  ) -> Route {
    Route(
      "POST", "/api/v1/transfers/{id}/\(word)", needs: .scope(.act),
      parameters: [APIParameters.id],
      answer: .object("Transfer", APIFields.transfer),
      problems: [.unknownTransfer, .refused, .noDaemon], sentence
    ) { request, context async throws(WebProblem) in
      let id = request.integer("id") ?? 0
      try await checkIsSeen(id, request, context)
      return .object(try await context.control.line(.transfers(action, ids: [id])))
    }
  }

  /// Throws an error if the caller may not see the transfer, or if the transfer does not exist. An
  /// ended transfer counts as missing if `PageMark.countMax` or more transfers ended after it.
  private static func checkIsSeen(
    _ id: Int64, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) {
    let record = try await context.store.read { view async throws(StoreError) in
      try await view.queries.transfers(job: nil, endedLimit: PageMark.countMax)
        .first { $0.id == id }
    }
    guard let record, request.caller.sees(record.job) else {
      throw WebProblem(.unknownTransfer, 404, "there is no transfer \(id)")
    }
  }
}
