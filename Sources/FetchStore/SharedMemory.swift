package import FetchValues

/// The scheduler's memory of all jobs together. The contents are opaque to the store.
///
/// When read, it has everything known; when written, only the changes: nil keeps the stored part.
package struct SharedMemory: Equatable, Sendable {
  /// Whether all jobs are paused.
  package enum Pause: Equatable, Sendable {
    case since(Timestamp)
    case over
  }

  /// The charges of all jobs, including those reserved by active runs.
  package var budget: [UInt8]?
  /// The marks of lanes that refusals have closed or slowed, by hostname. When written, it has only
  /// the changed lanes.
  package var lanes: [String: [UInt8]] = [:]
  package var pause: Pause?
  /// The knowledge shared by adaptive jobs: the price of a request.
  package var learned: [UInt8]?
  /// The times at which people read the items of all jobs.
  package var habits: [UInt8]?
  /// The times at which people read the items of single jobs.
  package var habitsOfJobs: [UInt8]?
  /// The seed of the store's own random numbers.
  package var seed: UInt64?

  package init() {}

  package var isEmpty: Bool { self == SharedMemory() }

  /// Adds the parts that another memory has.
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
