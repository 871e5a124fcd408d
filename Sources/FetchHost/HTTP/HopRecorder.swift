package import FetchModel
import FetchValues
import Synchronization

/// Carries requests by another transport, and keeps them with their results.
///
/// Access tokens are hidden from the plugin. A request for one is not kept, nor one that was
/// refused for an old token and sent again. A replay uses a dummy token.
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

    /// Whether the hop is the plugin's: it made the request and saw the answer.
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
      var count = hop.body?.count ?? 0
      if case .success(let answer) = end.result { count += answer.body.count }
      guard bytes + count <= bytesMax else {
        let most = ByteSize(bytes: Int64(bytesMax))
        return drop(allowance, "its answers are larger than \(most)")
      }
      guard allowance?.take(count) ?? true else {
        return drop(allowance, "the answers of all runs exceed the memory for recordings")
      }
      bytes += count
      hops.append((hop, end.withoutSlack))
    }

    mutating func drop(_ allowance: RecorderAllowance?, _ problem: String = "") {
      allowance?.giveBack(bytes)
      self = State(problem: problem)
    }
  }

  /// Keeps nothing if there would be more than that many bytes of bodies, or more than all
  /// recorders together may hold.
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

  /// Whether an access token could not be obtained; then the plugin has no real answer.
  package var lacksToken: Bool { state.withLock { !$0.tokenless.isEmpty } }

  /// The requests so far, in the order their answers arrived.
  package var run: RecordedRun? { try? recorded.get() }

  /// The same, or why there is no recording: the answers were too large, a request ended on this
  /// machine, or an access token could not be obtained.
  package var recorded: Result<RecordedRun, Unrecorded> {
    let (hops, problem) = state.withLock { ($0.hops, $0.problem) }
    if let problem { return .failure(Unrecorded(reason: problem)) }
    if lacksToken { return .failure(Unrecorded(reason: "no access token could be obtained")) }
    var run = RecordedRun()
    for (hop, end) in hops {
      guard let request = RecordedRequest(hop, end) else {
        return .failure(
          Unrecorded(reason: "a request failed because of this machine, not of the server"))
      }
      run.append(request)
    }
    return .success(run)
  }

  /// The reason why there is no recording of a run; one clause.
  package struct Unrecorded: Error {
    package let reason: String
  }
}

extension HTTPHopEnd {
  /// The same with a body of its exact size: while arriving, its buffer grew to twice that at
  /// worst.
  fileprivate var withoutSlack: HTTPHopEnd {
    guard case .success(var answer) = result else { return self }
    answer.body = answer.body.withUnsafeBufferPointer { Array($0) }
    return HTTPHopEnd(.success(answer), receivedBytes: receivedBytes)
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

  /// Whether the field comes from the plugin: not from the host, and not a cookie, which results
  /// from earlier answers.
  private static func tellsOfPlugin(_ field: HTTPField) -> Bool {
    switch field.name.asciiLowercased {
    // The date of a signature is the time it was made.
    case "accept-encoding", "cookie", "x-amz-date": false
    case "accept": field.value != "*/*"
    case "user-agent": !field.value.hasPrefix("fetchrun/")
    default: true
    }
  }
}

extension RecordedRun {
  /// A retry with the same result counts as the same request once more.
  fileprivate mutating func append(_ request: RecordedRequest) {
    if let last = requests.indices.last {
      var once = requests[last]
      once.times = 1
      if once == request { return requests[last].times += 1 }
    }
    requests.append(request)
  }
}
