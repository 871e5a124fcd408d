package import FetchValues
import NIOCore

/// The functions that connections need from the rest of the process.
package struct ConnectionService: Sendable {
  package var answer: @Sendable (ReceivedRequest) async -> WebResponse
  /// Returns the maximum size in bytes of the body of a request with the given method and target.
  package var bodyBytesMax: @Sendable (String, String) -> Int
  /// Whether the body of a request with the given method and target is checked as it arrives.
  package var checksBody: @Sendable (String, String) -> Bool
  /// Begins the check of a body from the head of its request. Returns nil if the body does not
  /// matter, because the request is invalid.
  package var beginBody: @Sendable (ReceivedRequest) async -> BodyCheck?
  package var now: @Sendable () -> Timestamp
  /// The time between two checks of an answer's progress: see `WebLimits.sendTimeout`.
  package var sendTimeout = WebLimits.sendTimeout
  let backlog = AnswerBacklog()

  package init(
    answer: @escaping @Sendable (ReceivedRequest) async -> WebResponse,
    bodyBytesMax: @escaping @Sendable (String, String) -> Int,
    checksBody: @escaping @Sendable (String, String) -> Bool = { _, _ in false },
    beginBody: @escaping @Sendable (ReceivedRequest) async -> BodyCheck? = { _ in nil },
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.answer = answer
    self.bodyBytesMax = bodyBytesMax
    self.checksBody = checksBody
    self.beginBody = beginBody
    self.now = now
  }
}

/// The handler that reports the arrival of bytes before they are parsed. If the connection is idle,
/// the time limit for a head therefore begins with the first byte of the head.
final class ArrivalHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: ConnectionHandler

  init(_ connection: ConnectionHandler) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.bytesArrived()
    context.fireChannelRead(data)
  }
}
