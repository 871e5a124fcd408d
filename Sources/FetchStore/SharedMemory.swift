package import FetchValues

/// What the scheduler remembers of all jobs together. The contents are opaque to the store.
///
/// Read, it is all that is known; written, it has what has changed: nil leaves a part as it was.
package struct SharedMemory: Equatable, Sendable {
  /// Whether all jobs are paused.
  package enum Pause: Equatable, Sendable {
    case since(Timestamp)
    case over
  }

  /// What all jobs have spent, with what runs under way have reserved.
  package var budget: [UInt8]?
  /// What refusals have closed or slowed lanes, by their hostnames. Written, it has those lanes that
  /// have changed.
  package var lanes: [String: [UInt8]] = [:]
  package var pause: Pause?
  /// What adaptive jobs have learned together: the price of a request.
  package var learned: [UInt8]?
  /// When people read the items of all jobs.
  package var habits: [UInt8]?
  /// When people read the items of single jobs.
  package var habitsOfJobs: [UInt8]?
  /// Where the store's own chance begins.
  package var seed: UInt64?

  package init() {}

  package var isEmpty: Bool { self == SharedMemory() }

  /// Takes over what another memory has.
  package mutating func merge(_ other: SharedMemory) {
    budget = other.budget ?? budget
    lanes.merge(other.lanes) { $1 }
    pause = other.pause ?? pause
    learned = other.learned ?? learned
    habits = other.habits ?? habits
    habitsOfJobs = other.habitsOfJobs ?? habitsOfJobs
    seed = other.seed ?? seed
  }
}
