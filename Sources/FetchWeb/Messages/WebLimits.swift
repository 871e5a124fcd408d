/// The limits of connections and requests.
package enum WebLimits {
  /// The maximum size of a request's head, in bytes.
  package static let headBytesMax = 16 << 10
  package static let headFieldsMax = 64
  package static let headTimeout: Duration = .seconds(10)
  /// The maximum size of a request's body in bytes, unless the route sets its own maximum.
  package static let bodyBytesMax = 64 << 10
  package static let bodyTimeout: Duration = .seconds(30)
  /// The maximum time for which a connection waits for the first byte of a request.
  package static let idleTimeout: Duration = .seconds(60)
  /// The time between two checks of an answer's progress. If bytes wait at two checks and none was
  /// sent between these checks, the connection is closed.
  package static let sendTimeout: Duration = .seconds(60)
  /// The maximum time between the end of the last answer and the closing of the connection. In this
  /// time, the client can read the answer.
  package static let lingerTimeout: Duration = .seconds(2)
  package static let connectionsMax = 256
  package static let connectionsPerAddressMax = 32
  /// The maximum number of bytes of a stream that may wait to be sent. If more bytes would wait,
  /// the client is disconnected.
  package static let streamBacklogBytesMax = 256 << 10
  /// The maximum number of bytes that still wait to be sent when `WebStreamWriter.drain` returns
  /// true.
  package static let streamDrainedBytesMax = 64 << 10
  package static let streamsMax = 64
  package static let streamsPerCallerMax = 8
  /// The maximum size of the lines or items in one answer, in bytes. The first line or item is sent
  /// even if it is larger.
  package static let answerBytesMax = 8 << 20
  /// The size in bytes above which an answer counts as large: see `AnswerBacklog`.
  package static let smallAnswerBytesMax = 256 << 10
  /// The size in bytes of the large answers that wait to be sent on all connections, at which
  /// further large answers are refused. It is the size of the four largest lists.
  package static let waitingAnswersBytesMax = 32 << 20
}
