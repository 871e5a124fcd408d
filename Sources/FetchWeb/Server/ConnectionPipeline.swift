import NIOCore
import NIOHTTP1

/// The handlers of a connection, from the socket to the requests.
enum ConnectionPipeline {
  /// The maximum number of bytes that are read from a connection at once.
  static let readBytesMax = 16 << 10

  /// The maximum number of bytes that the HTTP parser leaves in its buffer. The parser needs at
  /// most the bytes of a head. After CONNECT and after an upgrade, it leaves all bytes that arrive.
  private static let unparsedBytesMax = WebLimits.headBytesMax + readBytesMax

  static func configure(
    _ channel: any Channel, _ handler: ConnectionHandler
  ) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = WebLimits.headBytesMax
    limits.maxHeaderListSize = WebLimits.headBytesMax
    limits.maxHeaderFieldCount = WebLimits.headFieldsMax
    // `ConnectionHandler` sets the framing fields itself, because the encoder would not know that
    // an answer to HEAD has no body.
    var framing = HTTPResponseEncoder.Configuration()
    framing.automaticallySetFramingHeaders = false
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(ArrivalHandler(handler))
    try pipeline.addHandler(HTTPResponseEncoder(configuration: framing))
    try pipeline.addHandler(
      ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits),
        maximumBufferSize: unparsedBytesMax))
    try pipeline.addHandler(HTTPServerPipelineHandler())
    try pipeline.addHandler(handler)
  }
}
