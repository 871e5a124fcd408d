import FetchModel
import FetchValues
import Synchronization

/// A sink that writes the body of one answer to the transfer's partial file, on the engine's
/// thread.
final class TransferSink: BodySink {
  /// The result of the request so far.
  struct Finding: Sendable {
    /// The decision that resulted from the last answer's head; nil if no answer other than
    /// redirects was received.
    var decision: ResumeRule.Decision?
    /// The state of the partial file.
    var download: PartialDownload
    /// Whether the server sent the whole, unchanged file instead of the requested part.
    var ignoresRanges = false
    /// The reason why the sink stopped the body; nil if the sink did not stop the body.
    var stop: Stop?
  }

  enum Stop: Sendable {
    case fault(FileFault)
    /// The server sent more bytes than the head declared.
    case excess
    /// The owner of the transfer has paused the transfer.
    case notAdmitted
  }

  private struct State: Sendable {
    var finding: Finding
    /// The offset in the file where the body ends; `Int64.max` if the server has not stated it.
    var end = Int64.max
    var unreportedCount = 0
    var keptSize: Int64 = 0
    var keptAt = ContinuousClock.now
  }

  private let asked: PartialDownload
  /// The required size of the whole file in bytes; nil if the request specifies no size.
  private let size: Int64?
  private let file: PartialFile
  private let watch: TransferWatch
  private let now: Timestamp
  private let state: Mutex<State>

  /// The number of bytes after which `watch.admit` is called while the body arrives. Each such call
  /// can pause the transfer.
  private static let toldBytes = 256 << 10
  /// The number of received bytes after which the file is made durable, even before `keptPeriod`
  /// has passed.
  private static let keptBytes: Int64 = 16 << 20
  private static let keptPeriod: Duration = .seconds(5)

  init(
    _ asked: PartialDownload, size: Int64?, file: PartialFile, watch: TransferWatch, now: Timestamp
  ) {
    self.asked = asked
    self.size = size
    self.file = file
    self.watch = watch
    self.now = now
    state = Mutex(State(finding: Finding(download: asked), keptSize: asked.receivedBytes))
  }

  /// Reports the bytes that were not reported yet, and returns the result. Call it when the request
  /// has ended.
  func finish() -> Finding {
    let (finding, unreportedCount) = state.withLock { ($0.finding, $0.unreportedCount) }
    if unreportedCount > 0 { _ = watch.admit(unreportedCount) }
    return finding
  }

  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish {
    if RedirectRule.isRedirect(head.status), head.header("location")?.isEmpty == false {
      return .pass
    }
    let outcome = ResumeRule.outcome(
      status: head.status, fields: head.headers, of: asked, url: target.text, now: now)
    return state.withLock { state in
      state.finding.decision = outcome.decision
      switch outcome.decision {
      case .append(let end): return accept(outcome.download, end: end, &state)
      case .replace where asked.offset == 0:
        let total = outcome.download.totalBytes
        if let size, let total, total != size {
          state.finding.decision = .fail(.wrongSize(of: target.text, total, wanted: size))
          return .pass
        }
        return accept(outcome.download, end: total ?? .max, &state)
      case .replace:
        // The body is not taken, because the old state must first be dropped from the store.
        // Otherwise a later attempt would, after a crash, treat the new contents as a part of the
        // old file.
        state.finding.ignoresRanges = asked.validators.agree(with: outcome.download.validators)
        return .pass
      case .complete:
        state.finding.download = outcome.download
        return .pass
      case .askForWhole, .fail: return .pass
      }
    }
  }

  private func accept(
    _ download: PartialDownload, end: Int64, _ state: inout State
  ) -> BodyWish {
    state.finding.download = download
    state.end = end
    // A missing part smaller than `repeatedBytesMax` is fetched again after a crash.
    if end - download.receivedBytes >= TransferRequest.repeatedBytesMax { watch.keep(download) }
    return .take
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let unreportedCount = state.withLock { state -> Int? in
      guard state.finding.download.receivedBytes + Int64(bytes.count) <= state.end else {
        state.finding.stop = .excess
        return nil
      }
      do throws(FileFault) { try file.append(bytes) } catch {
        state.finding.stop = .fault(error)
        return nil
      }
      state.finding.download.receivedBytes = file.size
      state.unreportedCount += bytes.count
      keepSometimes(&state)
      guard state.unreportedCount >= Self.toldBytes else { return 0 }
      defer { state.unreportedCount = 0 }
      return state.unreportedCount
    }
    guard let unreportedCount else { return false }
    if unreportedCount == 0 || watch.admit(unreportedCount) { return true }
    return state.withLock { state in
      // A download that cannot be resumed is not paused.
      guard state.finding.download.validators.ifRange != nil else { return true }
      state.finding.stop = .notAdmitted
      return false
    }
  }

  private func keepSometimes(_ state: inout State) {
    let size = state.finding.download.receivedBytes
    let isMuch = size - state.keptSize >= Self.keptBytes
    guard isMuch || state.keptAt.duration(to: .now) >= Self.keptPeriod else { return }
    (state.keptSize, state.keptAt) = (size, .now)
    watch.keep(state.finding.download)
  }
}
