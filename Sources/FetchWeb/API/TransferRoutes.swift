import FetchEngine
import FetchModel
import FetchStore
import FetchValues

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
      "Returns the pending downloads, oldest first, then the ended ones, latest first"
    ) { request, context async throws(WebProblem) in
      let job = try request.seenJob()
      let (caller, limit) = (request.caller, request.limit)
      let state = request.text("state").flatMap(TransferState.init)
      // Ended transfers that the answer leaves out must not count towards its limit.
      let isSelective = state != nil || request.hidesRows
      let endedLimit = isSelective ? ReadBounds.rowsScannedMax : limit
      let records = try await context.store.read { view async throws(StoreError) in
        if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
        let all = try await view.queries.transfers(
          job: job, endedLimit: state?.isPending == true ? 0 : endedLimit)
        let wanted = all.filter { record in
          caller.sees(record.job) && (state == nil || record.state == state)
        }
        return Array(wanted.prefix(limit))
      }
      var answer = LineAnswer()
      for record in records { guard answer.add(json: record.json) else { break } }
      return answer.response(to: request)
    },
    action("cancel", .cancel, "Cancels a download and removes its partial file"),
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

  /// Throws an error if the caller may not see the transfer, or if the transfer does not exist.
  private static func checkIsSeen(
    _ id: Int64, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) {
    let record = try await context.store.read { view async throws(StoreError) in
      try await view.reader.transfer(id)
    }
    guard let record, request.caller.sees(record.job) else {
      throw WebProblem(.unknownTransfer, 404, "there is no transfer \(id)")
    }
  }
}
