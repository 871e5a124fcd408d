package import FetchValues

/// The scheduler's memory of all jobs together. The contents are opaque to the store.
///
/// Read, it is all that is known; written, it has what has changed: nil leaves a part as it was.
package struct SharedMemory: Equatable, Sendable {
  /// Whether all jobs are paused.
  package enum Pause: Equatable, Sendable {
    case since(Timestamp)
    case over
  }

  /// The charges of all jobs, with those that runs under way have reserved.
  package var budget: [UInt8]?
  /// The marks of lanes that refusals have closed or slowed, by their hostnames. Written, it has those
  /// lanes that have changed.
  package var lanes: [String: [UInt8]] = [:]
  package var pause: Pause?
  /// The knowledge that adaptive jobs share: the price of a request.
  package var learned: [UInt8]?
  /// The times at which people read the items of all jobs.
  package var habits: [UInt8]?
  /// The times at which people read the items of single jobs.
  package var habitsOfJobs: [UInt8]?
  /// The seed of the store's own chance.
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
