import FetchModel
package import FetchValues

/// What one answer of a run was, for the engine's judgement and the run's record.
package struct HTTPFact: Sendable, Equatable {
  package var method: String
  /// Where the answer came from, after redirects.
  package var url: String
  package var hostname: String
  /// Whom the request was for, before redirects.
  package var askedHostname: String
  package var status: Int
  package var notModified: Bool
  package var sameBody: Bool
  /// For how long the server says the answer may be kept.
  package var cacheLifetime: Duration?
  /// When the body last changed, where the server says so and can be believed; see `ModifiedTime`.
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

  /// An answer of which only where it came from and what it said is known.
  package init(url: String, hostname: String, status: Int) {
    self.init(
      method: "GET", url: url, hostname: hostname, askedHostname: hostname, status: status,
      notModified: false, sameBody: false, cacheLifetime: nil, receivedBytes: 0, requestCount: 1)
  }
}
