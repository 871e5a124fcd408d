package import FetchModel
package import FetchValues

/// The facts about one answer of a run, for scheduling and for the run's record.
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
  /// The time for which the server allows the answer to be cached.
  package var cacheLifetime: Duration?
  /// The time when the body last changed, according to the server; nil if that time is not credible
  /// (see `ModifiedTime`).
  package var modifiedAt: Timestamp?
  /// The hub and the own address in the header fields `Link` of a full answer.
  package var links = HubLinks()
  /// The address to use for later requests: the requested one, after permanent redirects.
  package var lastingURL = ""
  package var receivedBytes: Int
  package var requestCount: Int
}

extension HTTPFact {
  package var answerFact: AnswerFact {
    if notModified { return .notModified }
    guard (200..<300).contains(status) else { return .error }
    return sameBody ? .sameBody : .full
  }

  /// Creates a fact from an address, a hostname and a status; no other facts about the answer are
  /// known.
  package init(url: String, hostname: String, status: Int) {
    self.init(
      method: "GET", url: url, hostname: hostname, askedHostname: hostname, status: status,
      notModified: false, sameBody: false, cacheLifetime: nil, receivedBytes: 0, requestCount: 1)
  }
}
