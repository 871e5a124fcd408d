import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// The items that one call of `on_item` processes, and its results.
///
/// The items are sent to the worker in batches, so that the worker holds only a few items at a
/// time. Items for which the worker returned no result stay unchanged.
final class HookItems: Sendable {
  fileprivate struct State {
    var before: [ParsedItem]
    /// The results for all items before the last batch.
    var after: [ParsedItem] = []
    /// The range of the items that the worker has.
    var given = 0..<0
    var notes: [String] = []
    var noteCount = 0
    var keptCount = 0
    var problem: Failure?
  }

  /// The maximum number of items in a batch.
  static let batchCountMax = 200
  static let batchBytesMax = 256 << 10
  /// The maximum number of mistakes that are logged individually.
  static let notesMax = 3

  let count: Int
  private let limits: RunLimits
  private let state: Mutex<State>

  init(_ items: [ParsedItem], limits: RunLimits) {
    count = items.count
    self.limits = limits
    state = Mutex(State(before: items))
  }

  /// The items in order, with the worker's changes and without the dropped items.
  var items: [ParsedItem] {
    state.withLock { state in state.after + state.before[state.given.lowerBound...] }
  }

  /// Whether any item is known to be unchanged because the hook failed.
  var hasKept: Bool { state.withLock { $0.keptCount > 0 || $0.given.lowerBound < count } }

  /// The failure that describes an invalid answer of the worker; nil if there was none. Nothing of
  /// an invalid answer was used.
  var problem: Failure? { state.withLock { $0.problem } }

  /// The messages about the problems of single items.
  var notes: [String] {
    state.withLock { state in
      let more = state.noteCount - state.notes.count
      return state.notes + (more > 0 ? ["\(more) more items failed"] : [])
    }
  }

  /// Stores the results for the last batch. Returns the next batch, which is empty at the end.
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

  /// Returns the next batch, encoded as a list that contains one list.
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
