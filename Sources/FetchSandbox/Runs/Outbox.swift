import FetchValues
import FetchWire

/// The messages of this worker's runs that the loop has not written yet.
final class Outbox {
  var frames = FrameWriter()
  /// The results of library functions; sharing it saves one allocation per call.
  var scratch = ValueWriter()
  /// The error of a frame that is too long for the protocol.
  private(set) var error: WireError?

  func send(_ body: (inout FrameWriter) throws(WireError) -> Void) {
    do { try body(&frames) } catch { self.error = error }
  }
}
