package import FetchModel
import FetchValues
import Synchronization

/// A recorder that sends requests through another transport and records them with their results.
///
/// Access tokens are hidden from the plugin. The recorder therefore leaves out requests for tokens.
/// It also leaves out a request for which the server rejects a token of an earlier request (401),
/// because the host can repeat such a request with a new token.
package final class HopRecorder: HTTPTransport {
  private let transport: any HTTPTransport
  private let bytesMax: Int
  private let allowance: RecorderAllowance?
  private let state = Mutex(State())

  private struct State {
    var hops: [(hop: HTTPHop, end: HTTPHopEnd)] = []
    var bytes = 0
    /// The reason why the recording is not kept; nil if it is kept.
    var problem: String?
    /// The addresses where the last request for a token failed.
    var tokenless: Set<String> = []

    /// Whether the hop is to be recorded. Returns false for a request for an access token, and for
    /// a 401 to a token of an earlier request. Also updates `tokenless`.
    mutating func isOfPlugin(_ hop: HTTPHop, _ end: HTTPHopEnd) -> Bool {
      var status: Int?
      if case .success(let answer) = end.result { status = answer.status }
      guard hop.asksForToken else { return !(hop.hasOldToken && status == 401) }
      if status.map((200...299).contains) == true {
        tokenless.remove(hop.target.text)
      } else {
        tokenless.insert(hop.target.text)
      }
      return false
    }

    mutating func keep(
      _ hop: HTTPHop, _ end: HTTPHopEnd, _ bytesMax: Int, _ allowance: RecorderAllowance?
    ) {
      guard problem == nil, isOfPlugin(hop, end) else { return }
      let count = end.recordedBytes(of: hop)
      guard bytes + count <= bytesMax else {
        let most = ByteSize(bytes: Int64(bytesMax))
        return drop(allowance, "its requests and answers are larger than \(most)")
      }
      guard allowance?.take(count) ?? true else {
        return drop(allowance, "the requests and answers of all runs exceed the recording memory")
      }
      bytes += count
      hops.append((hop, end.withoutSlack))
    }

    mutating func drop(_ allowance: RecorderAllowance?, _ problem: String = "") {
      allowance?.giveBack(bytes)
      self = State(problem: problem)
    }
  }

  /// Creates a recorder. The recorder drops the recording if the requests and answers exceed
  /// `bytesMax`, or if those of all recorders with the same `allowance` exceed its limit.
  package init(
    _ transport: any HTTPTransport, bytesMax: Int, allowance: RecorderAllowance? = nil
  ) {
    self.transport = transport
    self.bytesMax = bytesMax
    self.allowance = allowance
  }

  deinit { state.withLock { $0.drop(allowance) } }

  @concurrent package func perform(_ hop: HTTPHop) async -> HTTPHopEnd {
    let end = await transport.perform(hop)
    state.withLock { $0.keep(hop, end, bytesMax, allowance) }
    return end
  }

  /// Whether there is an address of a token server at which the last request for a token failed.
  /// False if the recording was dropped.
  package var lacksToken: Bool { state.withLock { !$0.tokenless.isEmpty } }

  /// The recorded requests so far, in the order in which they ended; nil if there is no recording
  /// (see `recorded`).
  package var run: RecordedRun? { try? recorded.get() }

  /// The recorded requests so far, or the reason why there is no recording. The recording is
  /// missing if the requests and answers were too large or an access token could not be obtained.
  /// It is also missing if a request failed with a fault that a recording cannot contain.
  package var recorded: Result<RecordedRun, Unrecorded> {
    let (hops, problem) = state.withLock { ($0.hops, $0.problem) }
    if let problem { return .failure(Unrecorded(code: .bodyLimit, reason: problem)) }
    if lacksToken {
      return .failure(
        Unrecorded(code: .secretUnavailable, reason: "no access token could be obtained"))
    }
    var run = RecordedRun()
    for (hop, end) in hops {
      guard let request = RecordedRequest(hop, end) else {
        return .failure(
          Unrecorded(
            code: .internalError,
            reason: "a request failed with an error that a recording cannot contain"))
      }
      run.append(request)
    }
    return .success(run)
  }

  /// The reason why there is no recording of a run, as one clause.
  package struct Unrecorded: Error {
    package let code: FailureCode
    package let reason: String
  }
}

extension HTTPHopEnd {
  /// This result with a body buffer of exact size. The buffer may have grown to twice that size
  /// while the body arrived.
  fileprivate var withoutSlack: HTTPHopEnd {
    guard case .success(var answer) = result else { return self }
    answer.body = answer.body.withUnsafeBufferPointer { Array($0) }
    return HTTPHopEnd(.success(answer), receivedBytes: receivedBytes)
  }

  /// The approximate memory of a hop in bytes, without its address, fields and bodies.
  private static let hopBytes = 1 << 10

  /// The approximate memory in bytes that a recorder needs for this result of a hop. A server
  /// chooses the number of hops, and the addresses and fields of its answers, too.
  fileprivate func recordedBytes(of hop: HTTPHop) -> Int {
    var (fields, count) = (hop.headers, Self.hopBytes)
    count += hop.target.text.utf8.count + (hop.body?.count ?? 0)
    if case .success(let answer) = result {
      fields += answer.headers
      count += answer.body.count
    }
    return fields.reduce(count) { count, field in
      count + MemoryLayout<HTTPField>.stride + field.name.utf8.count + field.value.utf8.count
    }
  }
}

extension RecordedRequest {
  fileprivate init?(_ hop: HTTPHop, _ end: HTTPHopEnd) {
    let recorded: RecordedEnd
    switch end.result {
    case .success(let hopAnswer):
      var answer = RecordedAnswer(status: hopAnswer.status)
      answer.headers = hopAnswer.headers
      answer.body = RecordedBody(hopAnswer.body)
      recorded = .answer(answer)
    case .failure(let fault):
      guard let (kind, detail) = fault.recorded else { return nil }
      recorded = .fault(kind, detail: detail)
    }
    self.init(url: hop.target.text, end: recorded)
    method = hop.method
    headers = hop.headers.filter(Self.tellsOfPlugin)
    body = hop.body.map { RecordedBody($0) }
  }

  /// Whether a recording contains the header field. Leaves out `Accept-Encoding`, cookies, the
  /// host's default `Accept` and `User-Agent`, and the date of an AWS signature.
  private static func tellsOfPlugin(_ field: HTTPField) -> Bool {
    switch field.name.asciiLowercased {
    // The date of an AWS signature changes with each request.
    case "accept-encoding", "cookie", "x-amz-date": false
    case "accept": field.value != "*/*"
    case "user-agent": !field.value.hasPrefix("fetchrun/")
    default: true
    }
  }
}

extension RecordedRun {
  /// Appends a request. If the last recorded request has equal contents and an equal result, only
  /// increments the count of that request.
  fileprivate mutating func append(_ request: RecordedRequest) {
    if let last = requests.indices.last {
      var once = requests[last]
      once.times = 1
      if once == request { return requests[last].times += 1 }
    }
    requests.append(request)
  }
}

/// The limit, in bytes, on the requests and answers that all recorders with this allowance hold
/// together.
package final class RecorderAllowance: Sendable {
  private let bytesMax: Int
  private let held = Atomic<Int>(0)

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Reserves `count` bytes; returns false, and reserves nothing, if fewer bytes are left.
  func take(_ count: Int) -> Bool {
    if held.add(count, ordering: .relaxed).newValue <= bytesMax { return true }
    giveBack(count)
    return false
  }

  func giveBack(_ count: Int) { held.subtract(count, ordering: .relaxed) }
}
