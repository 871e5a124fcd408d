/// A queue of jobs, runs or sources in the order of their times, as a binary heap. Entries with the
/// same time keep their order of insertion.
struct DueQueue {
  struct Entry {
    var dueAt: Double
    var order: Int
    var source: Int
  }

  private var entries: [Entry] = []
  private var pushed = 0

  var isEmpty: Bool { entries.isEmpty }
  var first: Entry? { entries.first }

  mutating func push(_ source: Int, dueAt: Double) {
    entries.append(Entry(dueAt: dueAt, order: pushed, source: source))
    pushed += 1
    var place = entries.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func pop() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < entries.count && isBefore(child, least) { least = child }
      if least == place { return first }
      entries.swapAt(place, least)
      place = least
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (entries[left].dueAt, entries[left].order) < (entries[right].dueAt, entries[right].order)
  }
}
