/// What waits for a worker, first come first served: nobody overtakes, so a plugin with many runs
/// cannot keep another from its turn.
struct WorkerQueue {
  enum Entry {
    case run(ActiveRun)
    case inspection(Inspection)
  }

  private var entries: [Entry] = []
  private var head = 0

  var first: Entry? { head < entries.count ? entries[head] : nil }
  var isEmpty: Bool { first == nil }

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// For what had its turn before and lost it by no fault of its own.
  mutating func prepend(_ newEntries: [Entry]) {
    entries.replaceSubrange(..<head, with: newEntries)
    head = 0
  }

  mutating func removeFirst() {
    head += 1
    guard head >= 1024, head * 2 > entries.count else { return }
    entries.removeSubrange(..<head)
    head = 0
  }

  mutating func remove(run id: UInt64) {
    guard
      let index = entries[head...].firstIndex(where: {
        if case .run(let run) = $0 { run.id == id } else { false }
      })
    else { return }
    entries.remove(at: index)
  }

  mutating func removeAll() -> [Entry] {
    defer {
      entries = []
      head = 0
    }
    return Array(entries[head...])
  }
}
