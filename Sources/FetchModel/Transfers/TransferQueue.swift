package import FetchValues

/// The queue of unfinished transfers. It decides which transfer starts next.
///
/// The queue limits the running transfers in total and for each hostname. While a transfer of
/// another job could start, no job gets the last place. The queue skips jobs whose transfers must
/// wait, such as paused jobs. It also skips hostnames that are closed after failures or because the
/// budget is used up. A transfer is in the queue from `set` to `remove`.
package struct TransferQueue: Sendable {
  /// The facts from outside the queue that the caller passes to `next` and `nextWake`.
  package struct ProcessEnvironment {
    package var now: Timestamp
    /// The function that returns the maximum number of concurrent transfers for a hostname.
    package var placesAt: (String) -> Int
    /// The function that returns the time until which a hostname is closed for a job's transfers;
    /// nil if it is open.
    package var closedUntil: (_ job: JobName, _ hostname: String) -> Timestamp?
    package var isHeld: (_ job: JobName) -> Bool

    package init(
      now: Timestamp, placesAt: @escaping (String) -> Int = { _ in .max },
      closedUntil: @escaping (_ job: JobName, _ hostname: String) -> Timestamp? = { _, _ in nil },
      isHeld: @escaping (_ job: JobName) -> Bool = { _ in false }
    ) {
      self.now = now
      self.placesAt = placesAt
      self.closedUntil = closedUntil
      self.isHeld = isHeld
    }
  }

  /// The job and the hostname of a transfer. The hostname is empty for a copy of a local file.
  private struct Group: Hashable {
    var job: JobName
    var hostname: String
  }

  private struct Entry {
    var group: Group
    var place: TransferOrder.Place
    /// The earliest start time; nil if the transfer need not wait.
    var dueAt: Timestamp?
    var receivedBytes: Int64
    var totalBytes: Int64?
    var isRunning = false
    /// Whether all bytes of the running transfer have arrived.
    var hasArrived = false

    /// The entry's sort key in `timed`; nil if the entry has no start time.
    var time: TransferOrder.Place? {
      dueAt.map { TransferOrder.Place(rank: $0.milliseconds, id: place.id) }
    }
  }

  package private(set) var settings: TransferSettings
  private var entries: [Int64: Entry] = [:]
  /// The transfers that neither run nor have a start time, by job and hostname.
  private var ready: [Group: TransferLine] = [:]
  /// The transfers that have a start time, sorted by start time.
  private var timed = TransferLine()
  private var runningAt: [String: Int] = [:]
  private var runningOf: [JobName: Int] = [:]
  /// The number of running transfers whose bytes have not all arrived.
  package private(set) var runningCount = 0
  private var arrivedCount = 0

  /// The maximum number of arrived files that are not yet placed. It limits the open files, and the
  /// files that are fetched again after a crash.
  private static let arrivedMax = 64

  package init(_ settings: TransferSettings = TransferSettings()) { self.settings = settings }

  package var count: Int { entries.count }
  /// The number of transfers in the queue that are not running.
  package var waitingCount: Int { entries.count - runningCount - arrivedCount }
  package func contains(_ id: Int64) -> Bool { entries[id] != nil }
  package func isRunning(_ id: Int64) -> Bool { entries[id]?.isRunning ?? false }
  package var ids: [Int64] { entries.keys.sorted() }
  /// The names of the jobs that have transfers in the queue, without duplicates.
  package var jobs: [JobName] { Array(Set(entries.values.map(\.group.job))) }

  package func ids(of job: JobName) -> [Int64] {
    return entries.filter { $0.value.group.job == job }.map(\.key).sorted()
  }

  /// Returns the name of the job that requested the transfer with the given id; nil if the transfer
  /// is not in the queue.
  package func job(of id: Int64) -> JobName? { entries[id]?.group.job }

  /// Returns the transfers of matching jobs: the id, the size of the part that the next attempt can
  /// keep, and the total size. An unknown total size is nil. The sizes of a running transfer are
  /// from the start of the attempt.
  package func sizes(
    where isAsked: (_ job: JobName) -> Bool
  ) -> [(id: Int64, receivedBytes: Int64, totalBytes: Int64?)] {
    var asked: [JobName: Bool] = [:]
    return entries.compactMap { id, entry in
      let job = entry.group.job
      let isWanted = asked[job] ?? isAsked(job)
      asked[job] = isWanted
      return isWanted ? (id, entry.receivedBytes, entry.totalBytes) : nil
    }
  }

  /// Adds a pending transfer, or replaces the transfer with the same id. The transfer does not
  /// count as running afterwards.
  package mutating func set(_ record: TransferRecord, hostname: String) {
    remove(record.id)
    let group = Group(job: record.job, hostname: hostname)
    let entry = Entry(
      group: group, place: settings.order.place(of: record), dueAt: record.nextAttemptAt,
      receivedBytes: record.download.offset, totalBytes: record.download.totalBytes)
    entries[record.id] = entry
    if let time = entry.time { timed.insert(time) } else { insert(entry) }
  }

  package mutating func remove(_ id: Int64) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    if entry.hasArrived {
      arrivedCount -= 1
    } else if entry.isRunning {
      freePlace(entry)
    } else if let time = entry.time {
      timed.remove(time)
    } else {
      ready[entry.group]?.remove(entry.place)
      if ready[entry.group]?.first == nil { ready[entry.group] = nil }
    }
  }

  /// Records that all bytes of a running transfer have arrived. The transfer then leaves its place
  /// to another transfer, and stays in the queue until its file is placed.
  package mutating func arrived(_ id: Int64) {
    guard let entry = entries[id], entry.isRunning, !entry.hasArrived else { return }
    entries[id]?.hasArrived = true
    arrivedCount += 1
    freePlace(entry)
  }

  private mutating func freePlace(_ entry: Entry) {
    runningCount -= 1
    runningAt[entry.group.hostname, default: 1] -= 1
    runningOf[entry.group.job, default: 1] -= 1
  }

  /// Changes the settings. A new order applies only to transfers that are added or replaced later.
  package mutating func setSettings(_ settings: TransferSettings) { self.settings = settings }

  /// Returns the id of the next transfer to start, which then counts as running; nil if no transfer
  /// can start.
  package mutating func next(_ around: ProcessEnvironment) -> Int64? {
    admit(now: around.now)
    guard runningCount < settings.atOnceMax, arrivedCount < Self.arrivedMax else { return nil }
    let open = ready.keys.filter { isOpen($0, around) }
    // Otherwise one job could hold all places for days.
    let modest = open.filter { runningOf[$0.job, default: 0] < settings.atOnceMax - 1 }
    let group = (modest.isEmpty ? open : modest).min { left, right in
      guard let first = ready[left]?.first, let second = ready[right]?.first else { return false }
      return first < second
    }
    guard let group, let place = ready[group]?.popFirst() else { return nil }
    if ready[group]?.first == nil { ready[group] = nil }
    entries[place.id]?.isRunning = true
    runningCount += 1
    runningAt[group.hostname, default: 0] += 1
    runningOf[group.job, default: 0] += 1
    return place.id
  }

  /// Returns the time at which to call `next` again, unless an event happens earlier; nil if no
  /// time is known.
  package func nextWake(_ around: ProcessEnvironment) -> Timestamp? {
    let due = timed.first { entries[$0.id].map { !around.isHeld($0.group.job) } ?? false }
      .map { Timestamp(milliseconds: $0.rank) }
    let opening = ready.keys.lazy.filter { !around.isHeld($0.job) }
      .compactMap { around.closedUntil($0.job, $0.hostname) }.filter { $0 > around.now }.min()
    guard let due, let opening else { return due ?? opening }
    return min(due, opening)
  }

  private mutating func admit(now: Timestamp) {
    while let time = timed.first, time.rank <= now.milliseconds {
      _ = timed.popFirst()
      guard var entry = entries[time.id] else { continue }
      entry.dueAt = nil
      entries[time.id] = entry
      insert(entry)
    }
  }

  private mutating func insert(_ entry: Entry) {
    ready[entry.group, default: TransferLine()].insert(entry.place)
  }

  private func isOpen(_ group: Group, _ around: ProcessEnvironment) -> Bool {
    if around.isHeld(group.job) { return false }
    if let until = around.closedUntil(group.job, group.hostname), until > around.now {
      return false
    }
    // A copy of a local file uses no server, so no limit of a hostname applies.
    return group.hostname.isEmpty
      || runningAt[group.hostname, default: 0] < max(1, around.placesAt(group.hostname))
  }
}

/// A sorted list of transfers' sort keys. The list is fast if keys are inserted at the end and
/// removed from the front.
struct TransferLine: Sendable {
  private var places: [TransferOrder.Place] = []
  /// The index in `places` of the first key that was not removed.
  private var start = 0

  private static let gapMax = 256

  var first: TransferOrder.Place? { start < places.count ? places[start] : nil }

  func first(where isWanted: (TransferOrder.Place) -> Bool) -> TransferOrder.Place? {
    places[start...].first(where: isWanted)
  }

  mutating func insert(_ place: TransferOrder.Place) { places.insert(place, at: index(of: place)) }

  mutating func remove(_ place: TransferOrder.Place) {
    let index = index(of: place)
    if index < places.count, places[index] == place { places.remove(at: index) }
  }

  mutating func popFirst() -> TransferOrder.Place? {
    guard let first else { return nil }
    start += 1
    // The removed keys are dropped from the array only if they are more than `gapMax`, and more
    // than half of the array. The total work is therefore linear.
    if start > Self.gapMax, start > places.count / 2 {
      places.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Returns the index of a sort key, or the index at which to insert it.
  private func index(of place: TransferOrder.Place) -> Int {
    if let last = places.last, last < place { return places.count }
    var (low, high) = (start, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The order in which waiting transfers start.
package enum TransferOrder: String, Sendable, CaseIterable {
  /// The smallest transfer starts first. A transfer of unknown size counts as the largest.
  case smallest
  case largest
  /// Transfers start in the order of their requests.
  case queued

  /// Returns the sort key of a transfer. A transfer that should start earlier has a lower key.
  /// Among otherwise equal transfers, the transfer with the lower id comes first.
  package func place(of record: TransferRecord) -> Place {
    let size = record.download.totalBytes ?? .max
    let rank: Int64 =
      switch self {
      case .smallest: size
      case .largest: -size
      case .queued: 0
      }
    return Place(rank: rank, id: record.id)
  }

  package struct Place: Comparable, Hashable, Sendable {
    package var rank: Int64
    package var id: Int64

    package static func < (left: Place, right: Place) -> Bool {
      (left.rank, left.id) < (right.rank, right.id)
    }
  }
}

/// The limits that all transfers share, and their order, from `transfers` in the config.
package struct TransferSettings: Equatable, Sendable {
  /// The maximum number of concurrent transfers.
  package var atOnceMax = 4
  package var order = TransferOrder.queued
  /// The maximum number of bytes per second for all transfers together; nil for no limit.
  package var bytesPerSecondMax: Int64?

  package static let atOnceAllowed = 1...64
  /// The minimum value of `bytesPerSecondMax`. At a lower speed, each of several transfers could be
  /// so slow that it counts as stalled.
  package static let bytesPerSecondMin: Int64 = 10_000

  package init() {}
}
