package import FetchModel

/// Takes an answer's body as it comes, in place of the run's memory.
///
/// Called on the engine's thread, in order, and never after the hop has ended: what it does there
/// holds up the other hops of that engine.
package protocol BodySink: Sendable {
  /// The head of an answer is there, without a body; interim answers (1xx) are passed over.
  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish
  /// False ends the hop as cancelled.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// What is to become of a body.
package enum BodyWish: Sendable {
  case take
  /// Nobody needs it: read for the connection's sake where it is short, else the hop ends with the
  /// head alone.
  case pass

  /// An error page may be read to its end, so that the connection can be used again.
  static let passedBytesMax = 64 << 10
}
