package import FetchModel

/// A receiver of an answer's body as it arrives, in place of the run's memory.
///
/// Called on the engine's thread, in order, and never after the hop has ended. Slow work in it
/// delays the other hops of that engine.
package protocol BodySink: Sendable {
  /// Called with the head of an answer, before the body; interim answers (1xx) are skipped.
  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish
  /// Takes a part of the body. Returning false ends the hop as cancelled.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// A sink's decision about a body.
package enum BodyWish: Sendable {
  case take
  /// The body is not needed. A short one is read to keep the connection; otherwise the hop ends
  /// with the head alone.
  case pass

  /// The longest error page that is read to its end, so that the connection can be used again.
  static let passedBytesMax = 64 << 10
}
