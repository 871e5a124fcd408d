package import FetchValues

/// The totals that a daemon has counted since its start. The keys of the dictionaries are the words
/// in the published JSON.
package struct MonitoringCounters: Hashable, Sendable {
  /// The number of ended runs, by outcome and trigger.
  package var runs: [String: [String: Int]] = [:]
  /// The number of failed runs, by the code of the failure.
  package var failures: [String: Int] = [:]
  /// The number of runs without new data, by reason.
  package var noData: [String: Int] = [:]
  /// The number of added, updated and removed items, by kind of change.
  package var items: [String: Int] = [:]
  /// The number of skips, by reason. A skip is a due time, a trigger or a manual request that
  /// started no run of its own. Several missed times that a series of runs left out count as one
  /// skip.
  package var skips: [String: Int] = [:]
  /// The number of attempts to deliver, by hook and result.
  package var deliveryAttempts: [String: [String: Int]] = [:]
  /// The end time of the last run with each outcome.
  package var lastRuns: [String: Timestamp] = [:]

  package var runCPUSeconds = 0.0
  package var requests: Int64 = 0
  package var receivedBytes: Int64 = 0
  package var transferBytes: Int64 = 0

  /// The durations of runs.
  package var runSeconds = Histogram(bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])
  /// The delays between the due times of runs and their starts.
  package var startDelaySeconds = Histogram(bounds: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600])
  /// The delays from the publication of new items to the runs that found the items. A job's first
  /// result does not count.
  package var itemDelaySeconds = Histogram(
    bounds: [60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400])
  /// The times that the store took to make runs durable.
  package var commitSeconds = Histogram(
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])

  /// The result of an attempt to deliver.
  package enum DeliveryResult: String, Sendable, CaseIterable {
    case delivered
    /// The attempt failed and will be retried.
    case failed
    /// The attempt failed, and fetchrun will not retry the delivery.
    case dead
  }

  /// The maximum number of hooks with separate counts. All other hooks are counted together as
  /// `otherHooks`.
  package static let hooksMax = 100
  package static let otherHooks = "other"

  package init() {}

  /// Counts a run that ended.
  package mutating func add(_ record: RunRecord) {
    let outcome = record.outcome.word
    runs[outcome, default: [:]][record.trigger.rawValue, default: 0] += 1
    if let failure = record.outcome.failure { failures[failure.code.rawValue, default: 0] += 1 }
    if let reason = record.outcome.reason { noData[reason.rawValue, default: 0] += 1 }
    let counts = record.counts
    for (word, count) in [
      ("added", counts.added), ("updated", counts.updated), ("removed", counts.removed),
    ] where count > 0 {
      items[word, default: 0] += count
    }
    let endedAt = record.startedAt + record.duration
    lastRuns[outcome] = max(lastRuns[outcome] ?? endedAt, endedAt)
    runSeconds.add(record.duration)
    runCPUSeconds += max(0, record.cpu / .seconds(1))
    requests &+= Int64(max(0, record.requestCount))
    receivedBytes &+= Int64(max(0, record.receivedBytes))
  }

  /// Counts an attempt to deliver.
  package mutating func add(_ result: DeliveryResult, of hook: String) {
    let isKnown = deliveryAttempts[hook] != nil || deliveryAttempts.count < Self.hooksMax
    deliveryAttempts[isKnown ? hook : Self.otherHooks, default: [:]][
      result.rawValue, default: 0] += 1
  }
}
