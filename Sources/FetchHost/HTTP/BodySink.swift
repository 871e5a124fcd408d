package import FetchModel

/// A receiver of an answer's body. It receives each part when the part arrives, so the whole body
/// is not kept in memory.
///
/// The engine calls a sink on the engine's thread, in order, and never after the hop has ended. A
/// slow receiver delays the other hops of that engine.
package protocol BodySink: Sendable {
  /// Receives the head of each answer before its body, and returns what to do with the body.
  /// Interim answers (1xx) are skipped.
  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish
  /// Receives a part of the body; returns false to end the hop as cancelled.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// A sink's decision about a body.
package enum BodyWish: Sendable {
  case take
  /// The body is not needed. The engine reads a short body to its end, so that the connection can
  /// be used again. The engine stops reading a long body, and the hop ends with the head alone.
  case pass

  /// The maximum length of an unneeded body that is read to its end, so that the connection can be
  /// used again.
  static let passedBytesMax = 64 << 10
}
