package import FetchModel

/// What one answer of a run was, for the engine's judgement and the run's record.
package struct HTTPFact: Sendable, Equatable {
  package var method: String
  /// Where the answer came from, after redirects.
  package var url: String
  package var hostname: String
  package var status: Int
  package var notModified: Bool
  package var sameBody: Bool
  package var receivedBytes: Int
  package var requestCount: Int
}

/// A server asked to be left alone until then.
package struct RetryAfterNote: Sendable, Equatable {
  package var origin: String
  package var hostname: String
  package var status: Int
  package var until: Timestamp
}
