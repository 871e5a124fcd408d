/// The calls one run made and their answers, so that a run repeated after a crash is answered from
/// here and no effect happens twice.
struct CallJournal {
  private struct Entry {
    var call: HostCall
    var answer: HostCallAnswer?
    var isUsed = true
  }

  private var entries: [Entry] = []
  private var keptBytes = 0
  /// The journal had to be dropped: the run can no longer be repeated.
  private(set) var isIncomplete = false

  /// Of one run. Most runs hold one answer of some 50 KB; who downloads more than this in one run
  /// is not repeated when its worker crashes.
  static let keptBytesMax = 64 << 20

  /// Begins another attempt: every call may be asked again, once.
  mutating func rewind() {
    for index in entries.indices { entries[index].isUsed = false }
  }

  /// The first call of an earlier attempt that is the same and not asked again yet.
  mutating func match(_ call: HostCall) -> Int? {
    guard let index = entries.firstIndex(where: { !$0.isUsed && $0.call.isSame(as: call) }) else {
      return nil
    }
    entries[index].isUsed = true
    return index
  }

  mutating func add(_ call: HostCall) -> Int {
    // Each checkpoint brings the whole state, which most leave as it was: kept once.
    if let last = entries.last(where: { $0.call.takesItems }), last.call == call {
      entries.append(Entry(call: last.call))
    } else {
      entries.append(Entry(call: call))
      keep(call.arguments.count)
    }
    return entries.count - 1
  }

  subscript(index: Int) -> HostCallAnswer? {
    entries.indices.contains(index) ? entries[index].answer : nil
  }

  mutating func answer(_ index: Int, _ answer: HostCallAnswer) {
    guard entries.indices.contains(index), !isIncomplete else { return }
    entries[index].answer = answer
    if case .returns(let bytes) = answer { keep(bytes.count) }
  }

  private mutating func keep(_ count: Int) {
    keptBytes += count
    guard keptBytes > Self.keptBytesMax else { return }
    isIncomplete = true
    let nothing = Entry(call: HostCall(name: "", arguments: []))
    entries = Array(repeating: nothing, count: entries.count)
  }
}
