import FetchModel
package import FetchValues

/// One answer of a run, for the engine's judgement and the run's record.
package struct HTTPFact: Sendable, Equatable {
  package var method: String
  /// The address of the answer, after redirects.
  package var url: String
  package var hostname: String
  /// The hostname of the request, before redirects.
  package var askedHostname: String
  package var status: Int
  package var notModified: Bool
  package var sameBody: Bool
  /// The server's limit for keeping the answer.
  package var cacheLifetime: Duration?
  /// The time of the body's last change, if the server's is credible; see `ModifiedTime`.
  package var modifiedAt: Timestamp?
  package var receivedBytes: Int
  package var requestCount: Int
}

extension HTTPFact {
  var answerFact: AnswerFact {
    if notModified { return .notModified }
    guard (200..<300).contains(status) else { return .error }
    return sameBody ? .sameBody : .full
  }

  /// Creates a fact of which only the address and the status are known.
  package init(url: String, hostname: String, status: Int) {
    self.init(
      method: "GET", url: url, hostname: hostname, askedHostname: hostname, status: status,
      notModified: false, sameBody: false, cacheLifetime: nil, receivedBytes: 0, requestCount: 1)
  }
}
