/// The limits of connections and requests.
package enum WebLimits {
  /// The maximum size of a request's head. Browsers send at most a few kilobytes.
  package static let headBytesMax = 16 << 10
  package static let headFieldsMax = 64
  package static let headTimeout: Duration = .seconds(10)
  /// The maximum size of a request's body, unless the route allows a larger body.
  package static let bodyBytesMax = 64 << 10
  package static let bodyTimeout: Duration = .seconds(30)
  /// The maximum time that a connection may be open without a request. `sendTimeout` is the maximum
  /// time for which a client may read nothing of its answer.
  package static let idleTimeout: Duration = .seconds(60)
  package static let sendTimeout: Duration = .seconds(60)
  /// The time from the end of an answer to the closing of the connection. The client can read the
  /// rest of the answer within this time.
  package static let lingerTimeout: Duration = .seconds(2)
  package static let connectionsMax = 256
  package static let connectionsPerAddressMax = 32
  /// The number of unread bytes above which a stream is closed.
  package static let streamBacklogBytesMax = 256 << 10
  /// The maximum number of unread bytes for which `WebStreamWriter.drain` returns. A stream with
  /// much data waits for `drain` before it sends more.
  package static let streamDrainedBytesMax = 64 << 10
  package static let streamsMax = 64
  package static let streamsPerCallerMax = 8
  /// The maximum size of the lines or items in one answer, in bytes. A single line or item is sent
  /// even if it is larger.
  package static let answerBytesMax = 8 << 20
}
