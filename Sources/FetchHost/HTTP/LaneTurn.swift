import FetchModel
import Synchronization

/// One turn at a hostname, given back once.
final class LaneTurn: Sendable {
  private let lanes: RequestLanes
  private let hostname: String
  private let isOver = Atomic(false)

  /// Creates a turn that has already been taken.
  init(of hostname: String, in lanes: RequestLanes) {
    self.lanes = lanes
    self.hostname = hostname
  }

  func end() {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { lanes.leave(hostname) }
  }
}

/// Gives the turn back when the answer begins: a body that takes hours must not delay requests for
/// a page.
struct TurnEndingSink: BodySink {
  let sink: any BodySink
  let turn: LaneTurn

  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish {
    let wish = sink.begin(head, from: target)
    if wish == .take { turn.end() }
    return wish
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool { sink.take(bytes) }
}
