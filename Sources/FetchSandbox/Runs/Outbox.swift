import FetchValues
import FetchWire

/// The messages of this worker's runs that `WorkerLoop` has not written yet.
final class Outbox {
  var frames = FrameWriter()
  /// The buffer for results of library functions. All calls share this buffer, which saves one
  /// allocation per call.
  var scratch = ValueWriter()
  /// The error if a frame was too long for the protocol; nil otherwise.
  private(set) var error: WireError?

  func send(_ body: (inout FrameWriter) throws(WireError) -> Void) {
    do { try body(&frames) } catch { self.error = error }
  }
}
