/// The limits of connections and requests.
package enum WebLimits {
  /// The head of a request: browsers send at most a few kilobytes.
  package static let headBytesMax = 16 << 10
  package static let headFieldsMax = 64
  package static let headTimeout: Duration = .seconds(10)
  /// The body of a request; routes that need more say so.
  package static let bodyBytesMax = 64 << 10
  package static let bodyTimeout: Duration = .seconds(30)
  /// A connection without a request, and a client that does not read.
  package static let idleTimeout: Duration = .seconds(60)
  package static let sendTimeout: Duration = .seconds(60)
  /// The time for a client to read an answer after which the connection closes.
  package static let lingerTimeout: Duration = .seconds(2)
  package static let connectionsMax = 256
  package static let connectionsPerAddressMax = 32
  /// A stream whose client is this far behind is closed.
  package static let streamBacklogBytesMax = 256 << 10
  /// The bytes that may be unread when a stream that has much to send continues.
  package static let streamDrainedBytesMax = 64 << 10
  package static let streamsMax = 64
  package static let streamsPerCallerMax = 8
  /// An answer that is sent in one piece.
  package static let answerBytesMax = 8 << 20
}
