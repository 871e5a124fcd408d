/// The limits of connections and requests.
package enum WebLimits {
  /// The maximum size of a request's head, in bytes. Browsers send at most a few kilobytes.
  package static let headBytesMax = 16 << 10
  package static let headFieldsMax = 64
  package static let headTimeout: Duration = .seconds(10)
  /// The maximum size of a request's body in bytes, unless the route sets its own maximum.
  package static let bodyBytesMax = 64 << 10
  package static let bodyTimeout: Duration = .seconds(30)
  /// The maximum time that a connection may be open without a request. `sendTimeout` is the time
  /// between two checks of an answer's progress. A client that reads none of the waiting bytes
  /// between two checks is disconnected.
  package static let idleTimeout: Duration = .seconds(60)
  package static let sendTimeout: Duration = .seconds(60)
  /// The maximum time from the moment when the server has sent its last answer to the closing of
  /// the connection. Within this time, the client can read the answer to its end.
  package static let lingerTimeout: Duration = .seconds(2)
  package static let connectionsMax = 256
  package static let connectionsPerAddressMax = 32
  /// The maximum number of bytes of a stream that wait to be sent. A stream with more waiting bytes
  /// is closed.
  package static let streamBacklogBytesMax = 256 << 10
  /// The maximum number of bytes that still wait to be sent when `WebStreamWriter.drain` returns
  /// true.
  package static let streamDrainedBytesMax = 64 << 10
  package static let streamsMax = 64
  package static let streamsPerCallerMax = 8
  /// The maximum size of the lines or items in one answer, in bytes. The first line or item is sent
  /// even if it is larger.
  package static let answerBytesMax = 8 << 20
}
