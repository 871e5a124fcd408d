import FetchModel
import FetchValues
import Synchronization

/// Takes the body of one request of a transfer into its partial file, on the engine's thread.
final class TransferSink: BodySink {
  /// What came of the request, as far as the sink has seen it.
  struct Finding: Sendable {
    /// What the last answer's head means; nil where none came but redirects.
    var decision: ResumeRule.Decision?
    /// The partial file, as the answer and its body have left it.
    var download: PartialDownload
    /// The whole was sent when a part was asked for, and the file is the same.
    var ignoresRanges = false
    /// Why no more of the body was taken.
    var stop: Stop?
  }

  enum Stop: Sendable {
    case fault(FileFault)
    /// More came than was said.
    case excess
    /// Whoever watches over the transfer wants it to pause.
    case notAdmitted
  }

  private struct State: Sendable {
    var finding: Finding
    /// The body goes no further than that.
    var end = Int64.max
    var unreportedCount = 0
    var keptSize: Int64 = 0
    var keptAt = ContinuousClock.now
  }

  private let asked: PartialDownload
  /// What the whole is to have, where that was asked for.
  private let size: Int64?
  private let file: PartialFile
  private let watch: TransferWatch
  private let now: Timestamp
  private let state: Mutex<State>

  /// So often whoever watches is told of what came, who may let it pause.
  private static let toldBytes = 256 << 10
  /// So often what came is made durable: what a crash of the system can cost.
  private static let keptBytes: Int64 = 16 << 20
  private static let keptBytesMin: Int64 = 1 << 20
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

  /// To be asked when the request has ended; tells of what was not told yet.
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
        // What lies there must be forgotten before anything takes its place: who finds it after a
        // crash must not hold it for a part of another file.
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
    // Small files are fetched again after a crash, rather than each written down twice.
    if end - download.receivedBytes >= Self.keptBytesMin { watch.keep(download) }
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
      // What could not be gone on from is not broken off.
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
