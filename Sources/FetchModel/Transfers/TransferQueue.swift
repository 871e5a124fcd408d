/// Which of the pending transfers begin now: a value without a clock.
///
/// So many at once in all, so many for each hostname; jobs that are held and hostnames that are left
/// alone are passed over. A transfer is in the queue from `set` to `remove`.
package struct TransferQueue: Sendable {
  /// What each call needs to know of the world.
  package struct Surroundings {
    package var now: Timestamp
    /// How many may be under way at a hostname.
    package var placesAt: (String) -> Int
    /// Until when a hostname is left alone; nil while it is not.
    package var closedUntil: (String) -> Timestamp?
    package var isHeld: (_ job: String) -> Bool

    package init(
      now: Timestamp, placesAt: @escaping (String) -> Int = { _ in .max },
      closedUntil: @escaping (String) -> Timestamp? = { _ in nil },
      isHeld: @escaping (_ job: String) -> Bool = { _ in false }
    ) {
      self.now = now
      self.placesAt = placesAt
      self.closedUntil = closedUntil
      self.isHeld = isHeld
    }
  }

  /// Those of one job at one hostname; a copy of a file has none ("").
  private struct Group: Hashable {
    var job: ExactText
    var hostname: String
  }

  private struct Entry {
    var group: Group
    var place: TransferOrder.Place
    /// nil: it can begin now.
    var dueAt: Timestamp?
    var isRunning = false
  }

  package private(set) var settings: TransferSettings
  private var entries: [Int64: Entry] = [:]
  /// Those that wait for nothing but a place, the next last.
  private var ready: [Group: [TransferOrder.Place]] = [:]
  private var timed: Set<Int64> = []
  private var runningAt: [String: Int] = [:]
  package private(set) var runningCount = 0

  package init(_ settings: TransferSettings = TransferSettings()) { self.settings = settings }

  package var count: Int { entries.count }
  /// Of which none is under way.
  package var waitingCount: Int { entries.count - runningCount }
  package func contains(_ id: Int64) -> Bool { entries[id] != nil }
  package func isRunning(_ id: Int64) -> Bool { entries[id]?.isRunning ?? false }
  package var ids: [Int64] { entries.keys.sorted() }

  /// Takes a pending transfer in, or takes over what has become of it; it does not run then.
  package mutating func set(_ record: TransferRecord, hostname: String) {
    remove(record.id)
    let group = Group(job: ExactText(record.job), hostname: hostname)
    let entry = Entry(
      group: group, place: settings.order.place(of: record), dueAt: record.nextAttemptAt)
    entries[record.id] = entry
    if entry.dueAt == nil { insert(entry) } else { timed.insert(record.id) }
  }

  package mutating func remove(_ id: Int64) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    if entry.isRunning {
      runningCount -= 1
      runningAt[entry.group.hostname, default: 1] -= 1
    } else if entry.dueAt != nil {
      timed.remove(id)
    } else {
      ready[entry.group]?.removeAll { $0.id == id }
      if ready[entry.group]?.isEmpty ?? false { ready[entry.group] = nil }
    }
  }

  /// Another order holds for what is set from now on.
  package mutating func setSettings(_ settings: TransferSettings) { self.settings = settings }

  /// The next one to begin, which runs from now on; nil when there is none.
  package mutating func next(_ around: Surroundings) -> Int64? {
    admit(now: around.now)
    guard runningCount < settings.atOnceMax else { return nil }
    let group = ready.keys.filter { isOpen($0, around) }.min { left, right in
      guard let first = ready[left]?.last, let second = ready[right]?.last else { return false }
      return first < second
    }
    guard let group, let place = ready[group]?.popLast() else { return nil }
    if ready[group]?.isEmpty ?? false { ready[group] = nil }
    entries[place.id]?.isRunning = true
    runningCount += 1
    runningAt[group.hostname, default: 0] += 1
    return place.id
  }

  /// When to ask again if nothing happens before; nil: not before something happens.
  package func nextWake(_ around: Surroundings) -> Timestamp? {
    let due = timed.lazy.compactMap { id -> Timestamp? in
      guard let entry = entries[id], !around.isHeld(entry.group.job.text) else { return nil }
      return entry.dueAt
    }.min()
    let opening = ready.keys.lazy.filter { !around.isHeld($0.job.text) }
      .compactMap { around.closedUntil($0.hostname) }.filter { $0 > around.now }.min()
    guard let due, let opening else { return due ?? opening }
    return min(due, opening)
  }

  private mutating func admit(now: Timestamp) {
    for id in timed {
      guard var entry = entries[id], let dueAt = entry.dueAt, dueAt <= now else { continue }
      timed.remove(id)
      entry.dueAt = nil
      entries[id] = entry
      insert(entry)
    }
  }

  private mutating func insert(_ entry: Entry) {
    var places = ready[entry.group] ?? []
    // Largest first, so that the next is popped from the end.
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if entry.place < places[middle] { low = middle + 1 } else { high = middle }
    }
    places.insert(entry.place, at: low)
    ready[entry.group] = places
  }

  private func isOpen(_ group: Group, _ around: Surroundings) -> Bool {
    if around.isHeld(group.job.text) { return false }
    if let until = around.closedUntil(group.hostname), until > around.now { return false }
    // A copy asks nobody.
    return group.hostname.isEmpty
      || runningAt[group.hostname, default: 0] < max(1, around.placesAt(group.hostname))
  }
}
