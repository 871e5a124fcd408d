package import FetchModel
import FetchValues
import Synchronization

/// A transport that answers requests from a recorded run only.
package final class ReplayedAnswers: HTTPTransport {
  private let state: Mutex<State>

  private struct State {
    var answers: RecordedAnswers
    var problems: [UnrecordedRequest] = []
  }

  /// - Parameter secrets: the secrets of the recording, whose values are inserted into the answers.
  package init(_ run: RecordedRun, secrets: [RecordedSecret] = []) {
    state = Mutex(State(answers: RecordedAnswers(run, secrets: secrets)))
  }

  @concurrent package func perform(_ hop: HTTPHop) async -> HTTPHopEnd {
    if Task.isCancelled { return HTTPHopEnd(.failure(.cancelled)) }
    let sent = SentRequest(hop)
    let end = state.withLock { state in
      let end = state.answers.end(of: sent)
      if case .failure(let problem) = end { state.problems.append(problem) }
      return end
    }
    switch end {
    case .failure(let problem): return HTTPHopEnd(.failure(.engine(problem.description)))
    case .success(.fault(let fault, let detail)):
      return HTTPHopEnd(.failure(HTTPFault(fault, detail: detail, of: hop)))
    case .success(.answer(let answer)): return Self.end(answer, hop)
    }
  }

  private static func end(_ answer: RecordedAnswer, _ hop: HTTPHop) -> HTTPHopEnd {
    let count = answer.body.bytes.count
    guard count <= hop.bodyBytesMax else {
      return HTTPHopEnd(.failure(.bodyTooBig(hop.bodyBytesMax)), receivedBytes: count)
    }
    // A recording may have names in upper case, but `HTTPHopAnswer.headers` must not.
    let headers = answer.headers.map { HTTPField($0.name.asciiLowercased, $0.value) }
    return HTTPHopEnd(
      .success(
        HTTPHopAnswer(status: answer.status, headers: headers, body: answer.body.bytes)),
      receivedBytes: count)
  }

  /// The requests that were not in the recording, in the order they were made.
  package var unrecorded: [UnrecordedRequest] { state.withLock { $0.problems } }

  /// The recorded requests that were not made.
  package var unasked: [RecordedRequest] { state.withLock { $0.answers.unasked } }
}

extension SentRequest {
  /// Creates the recorded form of a hop, with names of secrets instead of their values.
  init(_ hop: HTTPHop) {
    let redactor = hop.redactor
    self.init(
      method: hop.method, url: redactor.redacted(hop.target.text),
      headers: hop.headers.map { HTTPField($0.name, redactor.redacted($0.value)) },
      body: hop.body.map(redactor.redacted))
  }
}
