import FetchValues
import FetchWire

/// What the runs of this worker have to say, until the loop writes it.
final class Outbox {
  var frames = FrameWriter()
  /// For results of library functions, to save an allocation per call.
  var scratch = ValueWriter()
  /// A frame that could not be sent because it is too long for the protocol.
  private(set) var error: WireError?

  func send(_ body: (inout FrameWriter) throws(WireError) -> Void) {
    do { try body(&frames) } catch { self.error = error }
  }
}
