package import FetchModel
import Synchronization

/// Who may ask a hostname now: at most so many requests at once, and a gap between two, for all
/// runs of a process.
///
/// A request takes its turn once: its redirects on the same hostname and its retry belong to it.
package final class RequestLanes: Sendable {
  private struct Lane {
    var running = 0
    /// The earliest start of the next request.
    var nextStart: ContinuousClock.Instant?
    var waiting: [(id: UInt64, resume: CheckedContinuation<Void, Never>)] = []
  }

  private struct State {
    var rules: LaneRules
    var lanes: [String: Lane] = [:]
    var lastID: UInt64 = 0
  }

  private let state: Mutex<State>

  package init(rules: LaneRules = LaneRules()) { state = Mutex(State(rules: rules)) }

  package func setRules(_ rules: LaneRules) { state.withLock { $0.rules = rules } }

  /// Waits for the hostname's turn; `leave` gives it back. False where the turn would come after
  /// the deadline, or the task was cancelled: nothing is to be given back then.
  func enter(_ hostname: String, until deadline: ContinuousClock.Instant) async -> Bool {
    await takePlace(hostname)
    let start = state.withLock { state in
      let gap = state.rules.rule(for: hostname).gap
      let start = max(state.lanes[hostname]?.nextStart ?? .now, .now)
      if start < deadline { state.lanes[hostname]?.nextStart = start + gap }
      return start
    }
    guard start < deadline else {
      leave(hostname)
      return false
    }
    guard start > .now else { return true }
    do { try await ContinuousClock().sleep(until: start) } catch {
      leave(hostname)
      return false
    }
    return true
  }

  func leave(_ hostname: String) {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard var lane = state.lanes[hostname] else { return nil }
      var next: CheckedContinuation<Void, Never>?
      if lane.waiting.isEmpty {
        lane.running -= 1
      } else {
        next = lane.waiting.removeFirst().resume
      }
      let isIdle = lane.running <= 0 && (lane.nextStart ?? .now) <= .now
      state.lanes[hostname] = isIdle ? nil : lane
      return next
    }
    next?.resume()
  }

  /// Who is cancelled goes on at once and gives the place back.
  private func takePlace(_ hostname: String) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          var lane = state.lanes[hostname] ?? Lane()
          defer { state.lanes[hostname] = lane }
          let most = state.rules.rule(for: hostname).connectionsMax
          if lane.running < most || Task.isCancelled {
            lane.running += 1
            return true
          }
          lane.waiting.append((id, continuation))
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      let found = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard let place = state.lanes[hostname]?.waiting.firstIndex(where: { $0.id == id }) else {
          return nil
        }
        state.lanes[hostname]?.running += 1
        return state.lanes[hostname]?.waiting.remove(at: place).resume
      }
      found?.resume()
    }
  }
}
