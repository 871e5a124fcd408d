import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// The items that one call of `on_item` goes through, and what became of them.
///
/// They cross in batches, so that the worker holds a few at a time. What it has not answered for
/// stays as it was.
final class HookItems: Sendable {
  fileprivate struct State {
    var before: [ParsedItem]
    /// What became of the items before those given last.
    var after: [ParsedItem] = []
    /// Those the worker has.
    var given = 0..<0
    var notes: [String] = []
    var noteCount = 0
    var keptCount = 0
    var problem: Failure?
  }

  /// Of one batch; one item may be larger.
  static let batchCountMax = 200
  static let batchBytesMax = 256 << 10
  /// Mistakes that are told one by one.
  static let notesMax = 3

  let count: Int
  private let limits: RunLimits
  private let state: Mutex<State>

  init(_ items: [ParsedItem], limits: RunLimits) {
    count = items.count
    self.limits = limits
    state = Mutex(State(before: items))
  }

  /// Every item that was not dropped, in its order: changed where the worker changed it.
  var items: [ParsedItem] {
    state.withLock { state in state.after + state.before[state.given.lowerBound...] }
  }

  /// Whether any item stayed as it was against the hook's will, as far as is known.
  var hasKept: Bool { state.withLock { $0.keptCount > 0 || $0.given.lowerBound < count } }

  /// What the worker did that no hook can do; nothing of its answer was taken.
  var problem: Failure? { state.withLock { $0.problem } }

  /// What is wrong with single items.
  var notes: [String] {
    state.withLock { state in
      let more = state.noteCount - state.notes.count
      return state.notes + (more > 0 ? ["\(more) more items are as they were"] : [])
    }
  }

  /// Takes what became of the last batch and gives the next one, an empty one at the end.
  func answer(_ call: HostCall, redactor: Redactor) -> HostCallAnswer {
    state.withLock { state in
      do throws(ValueError) {
        let verdicts = try ItemVerdict.read(
          call.items, count: state.given.count, number: state.given.lowerBound + 1, limits)
        for (item, verdict) in zip(state.before[state.given], verdicts) {
          state.settle(item, verdict, redactor)
        }
        state.given = state.given.upperBound..<state.given.upperBound
        return .returns(state.nextBatch())
      } catch {
        let failure = Failure(
          .workerCrashed, "the worker process sent invalid data: \(error)")
        state.problem = failure
        return .raises(failure.message)
      }
    }
  }
}

extension HookItems.State {
  fileprivate mutating func settle(
    _ item: ParsedItem, _ verdict: ItemVerdict, _ redactor: Redactor
  ) {
    switch verdict {
    case .dropped: break
    case .changed(let changed): after.append(redactor.redacted(changed))
    case .kept: keep(item)
    case .refused(let message):
      noteCount += 1
      if notes.count < HookItems.notesMax { notes.append(redactor.redacted(message)) }
      keep(item)
    }
  }

  private mutating func keep(_ item: ParsedItem) {
    keptCount += 1
    after.append(item)
  }

  /// An encoded list of one list.
  fileprivate mutating func nextBatch() -> [UInt8] {
    let first = given.upperBound
    var end = first
    var writer = ValueWriter(reserving: 16 << 10)
    writer.beginArray(count: 1)
    let list = writer.beginArray()
    while end < before.count, end - first < HookItems.batchCountMax,
      writer.bytes.count < HookItems.batchBytesMax
    {
      before[end].encode(&writer)
      end += 1
    }
    writer.endArray(list, count: end - first)
    given = first..<end
    return writer.bytes
  }
}
