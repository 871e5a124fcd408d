import FetchModel
import Synchronization

/// One request's turn at a hostname. The turn is given back exactly once.
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

/// A sink that gives the turn back when the body begins, so that a download of hours does not delay
/// requests for pages.
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
